//! Metrics, JSON logs and the unit file. None of them contains personal data.

use std::process::Command;

use serde_json::Value;

use crate::support::authority::send_plain;
use crate::support::{Place, served, text, wait_for, waitlist};

#[test]
fn metrics_count_requests_and_queues_without_personal_data() {
    let (place, server) = served("[metrics]\nlisten = '127.0.0.1:0'\n");
    server.get("/", &[]);
    server.get("/faq", &[]);
    server.post("/api/waitlist-signups", &waitlist("secret.person@example.com"));
    server.get("/nowhere/secret.person@example.com", &[]);
    wait_for("the first backup", || place.log().contains("created the backup").then_some(()));
    let metrics = server.metrics();
    assert!(
        metrics.starts_with("HTTP/1.1 200 OK") && metrics.contains("text/plain; version=0.0.4"),
        "{metrics}"
    );
    for line in [
        "showcase_requests_total{class=\"page\",status=\"2xx\"} 2",
        "showcase_requests_total{class=\"api\",status=\"2xx\"} 1",
        "showcase_requests_total{class=\"other\",status=\"4xx\"} 1",
        "showcase_request_seconds_count{class=\"page\"} 2",
        "showcase_outbox_mails{state=\"waiting\"} 1",
        "showcase_read_only 0",
    ] {
        assert!(metrics.lines().any(|found| found.trim_end() == line), "{line} in\n{metrics}");
    }
    let number = |name: &str| {
        let line = metrics
            .lines()
            .find(|line| line.starts_with(&format!("{name} ")))
            .unwrap_or_else(|| panic!("{name}"));
        line.trim_end().rsplit(' ').next().and_then(|number| number.parse::<f64>().ok()).expect("a number")
    };
    assert!(number("showcase_backup_age_seconds") < 60.0 && number("showcase_disk_free_bytes") > 0.0);
    assert!(number("showcase_outbox_oldest_seconds") >= 0.0);
    // A scheduled job may be writing at this moment.
    assert!(number("showcase_store_queue") < 10.0);
    assert!(!metrics.contains("secret.person"));
    let elsewhere =
        send_plain(server.metrics_address(), "GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    assert!(elsewhere.starts_with("HTTP/1.1 404 "));
    assert_eq!(server.get("/metrics", &[]).status, 404, "visitors do not reach them");
}

#[test]
fn json_logs_are_valid_and_have_no_personal_data() {
    let (place, mut server) = served("[log]\nformat = 'json'\n");
    server.post("/api/waitlist-signups", &waitlist("secret.person@example.com"));
    server.post("/api/waitlist-signups", &waitlist("secret.person@"));
    server.get("/nowhere?email=secret.person@example.com", &[]);
    server.stop();
    let log = place.log();
    assert!(log.lines().count() > 3, "{log}");
    for line in log.lines() {
        let line: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert!(line["timestamp"].is_string() && line["level"].is_string(), "{line}");
    }
    assert!(!log.contains("secret.person") && !log.contains("127.0.0.1"), "{log}");
}

#[test]
fn the_unit_is_valid_and_hardened() {
    let place = Place::new("");
    std::fs::create_dir(place.path("secrets")).expect("a folder");
    std::fs::write(place.path("secrets/smtp_password"), "hush").expect("a file");
    let secrets = place.path("secrets").display().to_string();
    let config = place.path("service.toml").display().to_string();
    std::fs::write(&config, "[backup]\nfolder = '/mnt/backups'\n[limits]\nconnections = 50000\n")
        .expect("a file");
    let stranger = place.run(&["systemd", "--user", "no-such-user"]);
    assert!(text(&stranger.stderr).contains("no user 'no-such-user'"), "{}", text(&stranger.stderr));
    for user in [&[][..], &["--user", "root"]] {
        let printed = place.run(&[&["systemd", "--config", &config, "--secrets", &secrets], user].concat());
        let unit = text(&printed.stdout);
        for line in [
            "ReadWritePaths=\"-/mnt/backups\"",
            "LimitNOFILE=51000",
            &format!("LoadCredential=config.toml:{config}"),
        ] {
            assert!(unit.contains(&format!("\n{line}\n")), "{line}: {unit}");
        }
        assert!(
            unit.contains(&format!("\nLoadCredential=smtp_password:{secrets}/smtp_password\n")),
            "{unit}"
        );
        assert!(
            unit.contains("\n#LoadCredential=stripe_secret_key:") && !unit.replace("${", "").contains('{'),
            "{unit}"
        );
        let file = place.path("showcase.service");
        std::fs::write(&file, &unit).expect("a file");
        let analyze = |arguments: &[&str]| {
            let output = Command::new("systemd-analyze").args(arguments).arg(&file).output();
            let output = output
                .expect("systemd-analyze is needed for this test and is not installed: run tests/install");
            (output.status.success(), format!("{}{}", text(&output.stdout), text(&output.stderr)))
        };
        let (sound, words) = analyze(&["verify", "--man=no"]);
        assert!(sound && !words.contains("showcase.service:"), "{words}");
        if user.is_empty() {
            // 0 is fully restricted, 100 is unrestricted.
            let (closed, words) = analyze(&["security", "--offline=true", "--threshold=20"]);
            assert!(closed, "{words}");
        } else {
            assert!(unit.contains("\nUser=root\n") && !unit.contains("DynamicUser"), "{unit}");
        }
    }
}
