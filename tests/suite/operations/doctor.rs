//! `showcase doctor`: finds each problem and says what to do.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::mail_server::MailServer;
use crate::support::ports::{DeafPort, free_port};
use crate::support::{Place, clock, migrated, text, wait_for};

/// Starts a server that answers every request with `answer(path)`, and returns its origin.
fn provider(answer: fn(&str) -> (u16, String), date: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let origin = format!("http://{}", listener.local_addr().expect("an address"));
    let date = date.to_owned();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut request = [0; 4096];
            let length = stream.read(&mut request).unwrap_or(0);
            let request = String::from_utf8_lossy(&request[..length]).into_owned();
            let path = request.split(' ').nth(1).unwrap_or_default();
            let (status, body) = answer(path);
            let _ = write!(
                stream,
                "HTTP/1.1 {status} X\r\ndate: {date}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            );
        }
    });
    origin
}

/// The `Date` header of a server whose clock is this many days ahead.
fn date_in(days: i64) -> String {
    (clock::machine_time() + chrono::TimeDelta::days(days)).format("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

/// Whether doctor found a problem, and its output.
fn doctor(place: &Place, more: &[&str]) -> (bool, String) {
    let output = place.run(&[&["doctor"], more].concat());
    let code = output.status.code().expect("an exit");
    let (said, told) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(code == 1, said.contains("PROBLEM"), "{code}: {said}{told}");
    assert_eq!(code == 1, told.contains(" found. Each line with PROBLEM"), "{told}");
    for line in said.lines().filter(|line| line.starts_with("PROBLEM")) {
        assert!(line.trim_end().ends_with(['.', ')', '?']) && line.len() > 40, "no sentence: {line}");
    }
    (code == 1, said)
}

fn keys(api_base: &str, secret: &str, publishable: &str, webhook: &str) -> String {
    format!(
        "[stripe]\napi_base = '{api_base}'\nsecret_key = '{secret}'\npublishable_key = '{publishable}'\nwebhook_secret = '{webhook}'\n"
    )
}

#[test]
fn a_machine_without_internet_gets_its_findings_soon() {
    let place = Place::new(
        "[smtp]\nhost = 'mail.showcase.invalid'\nfrom = 'a@example.com'\n[tls]\ndomains = ['www.showcase.invalid']\nlisten = '127.0.0.1:0'\nhttp_listen = '127.0.0.1:0'\ndirectory_url = 'https://127.0.0.1:1/dir'\n",
    );
    let started = Instant::now();
    let (breaks, said) = doctor(&place, &[]);
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert!(breaks, "{said}");
    for part in [
        "www.showcase.invalid cannot be resolved",
        "mail.showcase.invalid:587 does not answer",
        "The clock could not be checked",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn a_new_installation_has_notes_and_no_problem() {
    let place = Place::new(
        "public_url = 'http://127.0.0.1:8080'\nlisten = '127.0.0.1:0'\n[tls]\ndirectory_url = 'https://127.0.0.1:1/dir'\n",
    );
    let (breaks, said) = doctor(&place, &[]);
    assert!(!breaks && said.contains("does not exist yet"), "{said}");
    assert!(!said.contains("admin.password"), "{said}");
    assert!(!place.database().exists(), "it only checks");
    let _server = place.serve();
    let (breaks, said) = doctor(&place, &[]);
    assert!(!breaks && said.contains("showcase.db is sound"), "{said}");
    assert!(
        said.contains("Visitors would see sample texts") && said.contains("in the browser, under Website"),
        "{said}"
    );
}

#[test]
fn files_that_others_can_read_or_that_are_broken_are_found() {
    let place = migrated("[admin]\npassword = 'short'\n[backup]\nevery_hours = 24\n");
    for file in ["config.toml", "showcase.db"] {
        std::fs::set_permissions(place.path(file), std::fs::Permissions::from_mode(0o644)).expect("a mode");
    }
    std::fs::create_dir(place.path("backups")).expect("a folder");
    std::fs::write(place.path("backups/showcase-20250101T000000Z.db.gz"), "old").expect("a file");
    let copies = ["showcase.db.before-restore-20250101T000000Z", "showcase.db.schema-5.backup"];
    for copy in copies {
        std::fs::write(place.path(copy), "old").expect("a file");
    }
    let (breaks, said) = doctor(&place, &[]);
    assert!(breaks, "{said}");
    for part in [
        "chmod 600 config.toml",
        "chmod 600 showcase.db",
        "The newest backup is from 2025-01-01",
        &format!("maybe with erased persons: {}. Delete", copies.join(", ")),
        "note     settings     admin.password has fewer than 10 characters",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    std::fs::write(place.database(), "no database, but long enough to be looked at by somebody")
        .expect("a file");
    assert!(doctor(&place, &[]).1.contains("is not a database that can be read"));
    std::fs::write(place.path("config.toml"), "[smtp]\nhots = 'x'\n").expect("a file");
    assert!(doctor(&place, &[]).1.contains("Did you mean 'smtp.host'?"));
}

#[test]
fn a_wrong_clock_is_found() {
    let origin = provider(|_| (200, "{}".into()), &date_in(400));
    let place = Place::new(&keys(&origin, "sk_test_1", "pk_test_1", "whsec_1"));
    let (_, said) = doctor(&place, &[]);
    assert!(said.contains("PROBLEM  clock") && said.contains("behind that of 127.0.0.1"), "{said}");
    let origin = provider(|_| (200, "{}".into()), &date_in(0));
    let place = Place::new(&keys(&origin, "sk_test_1", "pk_test_1", "whsec_1"));
    assert!(doctor(&place, &[]).1.contains("ok       clock"));
}

#[test]
fn payment_keys_are_compared_with_each_other_and_checked_with_the_provider() {
    let takes = provider(
        |path| {
            match path {
            "/v1/balance" => (200, "{\"livemode\": false}".into()),
            _ => (200, json!({ "data": [
                { "url": "https://a.example.com/api/stripe/webhook", "status": "enabled", "enabled_events": ["*"] },
                { "url": "https://c.example.com/api/stripe/webhook", "status": "enabled",
                  "enabled_events": ["payment_intent.succeeded", "charge.refunded"] },
            ] }).to_string()),
        }
        },
        &date_in(0),
    );
    let refuses = provider(|_| (401, "{}".into()), &date_in(0));
    let deaf = DeafPort::take();
    let nobody = format!("http://127.0.0.1:{}", deaf.port());
    let at =
        |url: &str, keys: &str| format!("public_url = '{url}'\n[proxy]\ntrusted = ['127.0.0.1']\n{keys}");
    let local = |secret: &str, publishable: &str, webhook: &str| {
        at("http://127.0.0.1:1", &keys(&takes, secret, publishable, webhook))
    };
    let named = |name: &str, base: &str| {
        at(&format!("https://{name}.example.com"), &keys(base, "sk_test_1", "pk_test_1", "whsec_1"))
    };
    for (config, part, breaks) in [
        (at("http://127.0.0.1:1", ""), "online payment is not open yet", false),
        (local("sk_test_1", "", ""), "stripe.publishable_key is not set", true),
        (local("sk_test_1", "pk_live_1", "whsec_1"), "Both must be of the same mode", true),
        (local("pk_test_1", "sk_test_1", "whsec_1"), "Perhaps two keys were swapped", true),
        (local("sk_live_1", "pk_live_1", "whsec_1"), "cards must not be accepted", true),
        (named("a", &refuses), "does not accept stripe.secret_key", true),
        (named("a", &nobody), "does not answer", true),
        (
            named("a", &takes),
            "the provider has a webhook for https://a.example.com/api/stripe/webhook",
            false,
        ),
        (named("b", &takes), "has no webhook for https://b.example.com", true),
        (
            named("c", &takes),
            "does not send these events: payment_intent.processing, payment_intent.payment_failed, ",
            true,
        ),
    ] {
        let place = Place::new(&config);
        let (_, said) = doctor(&place, &[]);
        let line = said.lines().find(|line| line.contains(part)).unwrap_or_else(|| panic!("{part}: {said}"));
        assert_eq!(line.starts_with("PROBLEM"), breaks, "{line}");
    }
}

#[test]
fn a_test_email_is_sent_or_the_servers_error_is_reported() {
    let received = tempfile::tempdir().expect("a folder");
    let mails = MailServer::start(received.path(), "");
    let place = Place::new(&mails.settings("none"));
    let (_, said) = doctor(&place, &["--send-test-mail", "me@example.com"]);
    assert!(said.contains("accepted the test email to me@example.com"), "{said}");
    let mail = wait_for("the mail", || std::fs::read_to_string(received.path().join("1.eml")).ok());
    assert!(mail.contains("Subject: Test email from your Showcase"), "{mail}");
    let refusing = MailServer::start(received.path(), "550");
    let place = Place::new(&refusing.settings("none"));
    let (breaks, said) = doctor(&place, &["--send-test-mail", "me@example.com"]);
    assert!(breaks && said.contains("as the test wishes"), "{said}");
}

#[test]
fn a_configured_certificate_is_checked() {
    let place = Place::new(
        "public_url = 'https://a.example.com'\n[tls]\ncertificate = 'own.pem'\nprivate_key = 'own.key'\nlisten = '127.0.0.1:0'\nhttp_listen = ''\ndirectory_url = 'https://127.0.0.1:1/dir'\n",
    );
    let put = |days: i64| {
        let mut params = rcgen::CertificateParams::new(["a.example.com".to_owned()]).expect("a name");
        let end = clock::now() + chrono::TimeDelta::days(days);
        let number = |format: &str| end.format(format).to_string().parse().expect("a number");
        params.not_after = rcgen::date_time_ymd(number("%Y"), number("%m") as u8, number("%d") as u8);
        let pair = rcgen::KeyPair::generate().expect("a key");
        std::fs::write(place.path("own.pem"), params.self_signed(&pair).expect("it").pem()).expect("a file");
        std::fs::write(place.path("own.key"), pair.serialize_pem()).expect("a file");
        std::fs::set_permissions(place.path("own.key"), std::fs::Permissions::from_mode(0o600))
            .expect("a mode");
    };
    for (days, part) in [
        (60, "ok       certificate"),
        (5, "PROBLEM  certificate  It expires on"),
        (-5, "PROBLEM  certificate  It expired on"),
    ] {
        put(days);
        let said = doctor(&place, &[]).1;
        assert!(said.contains(part), "{part}: {said}");
    }
    std::fs::set_permissions(place.path("own.key"), std::fs::Permissions::from_mode(0o644)).expect("a mode");
    assert!(doctor(&place, &[]).1.contains("chmod 640 own.key"));
    std::fs::write(place.path("own.pem"), "nothing").expect("a file");
    assert!(doctor(&place, &[]).1.contains("PROBLEM  certificate  tls.certificate"));
    for (names, is_right) in [
        (vec!["b.example.com", "c.example.com"], false),
        (vec!["*.example.com"], true),
        (vec!["*.a.example.com"], false),
        (vec!["*.com"], false),
    ] {
        place.write_certificate(&names);
        let said = doctor(&place, &[]).1;
        let words = format!(
            "PROBLEM  certificate  tls.certificate: own.pem is valid for {}, but not for a.example.com",
            names.join(", ")
        );
        assert_eq!(said.contains(&words), !is_right, "{names:?}: {said}");
    }
}

#[test]
fn settings_that_the_server_refuses_are_problems_with_the_same_message() {
    for config in [
        "[proxy]\ntrusted = ['300.0.0.1']\n",
        "[metrics]\nlisten = 'nowhere'\n",
        "[admin]\npassword = 'in-the-settings'\npassword_hash = 'another'\n",
        "listen = '127.0.0.1:9'\n[metrics]\nlisten = '127.0.0.1:9'\n",
        "[tls]\ndomains = ['www.showcase.invalid']\nlisten = '127.0.0.1:0'\nhttp_listen = ''\ndirectory_url = 'https://127.0.0.1:1/dir'\nca_file = 'missing.pem'\n",
    ] {
        let place = Place::new(config);
        let refused = place.run(&["serve"]);
        let told = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{config}: {told}");
        assert!(refused.stdout.is_empty(), "no password is shown that nobody can use");
        let sentences: Vec<_> = told.lines().filter_map(|line| line.strip_prefix("showcase: ")).collect();
        let [sentence] = sentences[..] else { panic!("{told}") };
        let (_, said) = doctor(&place, &[]);
        let line = said.lines().find(|line| line.contains(sentence));
        assert!(line.is_some_and(|line| line.starts_with("PROBLEM")), "{sentence}: {said}");
        assert!(!said.contains("another program"), "{said}");
    }
}

#[test]
fn an_unwritable_backup_folder_is_found_and_a_missing_one_is_not_created() {
    for folder in ["/proc/x", "config.toml", "/proc/x/y"] {
        let place = migrated(&format!("[backup]\nfolder = '{folder}'\n"));
        let (_, said) = doctor(&place, &[]);
        let words = format!("PROBLEM  backups      Backups cannot be written to {folder}");
        assert!(said.contains(&words) && !said.contains("creates the first one soon"), "{said}");
    }
    let place = Place::new("[backup]\nfolder = 'to/be/made'\n");
    let (_, said) = doctor(&place, &[]);
    assert!(said.contains("creates the first one soon") && !said.contains("PROBLEM  backups"), "{said}");
    std::fs::create_dir(place.path("there")).expect("a folder");
    std::fs::write(place.path("config.toml"), "[backup]\nfolder = 'there'\n").expect("a file");
    assert!(!doctor(&place, &[]).1.contains("PROBLEM  backups"));
    let mut left: Vec<_> = [place.folder.path().to_owned(), place.path("there")]
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("a folder"))
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["config.toml", "there"], "nothing is left behind");
}

#[test]
fn a_port_used_by_another_program_is_a_problem_and_one_used_by_our_server_is_not() {
    let stranger = provider(|_| (200, "hello".into()), &date_in(0));
    let address = stranger.trim_start_matches("http://");
    let tls = |secure: &str, plain: &str, metrics: &str| {
        format!(
            "public_url = 'https://www.showcase.invalid'\n[tls]\ncertificate = 'own.pem'\nprivate_key = 'own.key'\nlisten = '{secure}'\nhttp_listen = '{plain}'\ndirectory_url = 'https://127.0.0.1:1/dir'\n[metrics]\nlisten = '{metrics}'\n"
        )
    };
    for (setting, config) in [
        ("listen", format!("listen = '{address}'\n")),
        ("tls.listen", tls(address, "", "")),
        ("tls.http_listen", tls("127.0.0.1:0", address, "")),
        ("metrics.listen", tls("127.0.0.1:0", "", address)),
    ] {
        let (_, said) = doctor(&Place::new(&config), &[]);
        let words = format!("PROBLEM  ports        {address} ({setting}) is in use by another program");
        assert!(said.contains(&words), "{words}: {said}");
    }
    let own = || format!("127.0.0.1:{}", free_port());
    let place = Place::new(&tls(&own(), &own(), &own()));
    place.write_certificate(&["www.showcase.invalid"]);
    let _server = place.serve();
    let (_, said) = doctor(&place, &[]);
    assert_eq!(said.matches("is in use by a showcase that answers").count(), 3, "{said}");
    let (breaks, said) = doctor(&place, &["--database", "other.db"]);
    let words = "is in use by another program than the server of other.db";
    assert_eq!((breaks, said.matches(words).count()), (true, 3), "{said}");
}

#[test]
fn an_untrusted_proxy_and_a_test_email_without_a_mail_server_are_problems() {
    let place = Place::new("public_url = 'https://a.example.com'\n");
    let (breaks, said) = doctor(&place, &["--send-test-mail", "you@example.com"]);
    assert!(breaks && said.contains("set proxy.trusted"), "{said}");
    let words = "PROBLEM  mail         No test email was sent to you@example.com: smtp.host is not set";
    assert!(said.contains(words), "{said}");
}
