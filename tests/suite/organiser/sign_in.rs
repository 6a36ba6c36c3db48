//! Password guessing, stolen sessions, and the end of sessions.

use std::io::Write;
use std::net::TcpStream;
use std::sync::Barrier;

use serde_json::json;

use crate::support::{PASSWORD, Place, Reply, Server, clock, contains, migrated, read_to_end, served, text};

const OTHER: &str = "another-password-of-the-test";
const JSON: (&str, &str) = ("content-type", "application/json");
const SESSION: &str = "/api/admin/session";
const LONG_AGO: &str = "2026-01-01T00:00:00.000Z";

fn configured(password: &str, more: &str) -> String {
    format!(
        "[admin]\npassword = '{password}'\n{more}\n[limits]\nwrites_per_minute = 0\nsign_ins_per_minute = 0\n"
    )
}

/// An installation that trusts this machine as a proxy.
fn behind_a_proxy() -> Place {
    Place::new(&format!(
        "[admin]\npassword = '{PASSWORD}'\n[proxy]\ntrusted = ['127.0.0.1']\n[limits]\nwrites_per_minute = 0\n"
    ))
}

fn try_from(server: &Server, address: &str, password: &str) -> Reply {
    let body = json!({ "password": password }).to_string();
    server.send("POST", SESSION, &[JSON, ("x-forwarded-for", address)], &body)
}

/// Sends a wrong password and does not wait for the answer.
fn guess_from(server: &Server, address: &str) -> TcpStream {
    let body = json!({ "password": "a-wrong-guess" }).to_string();
    let mut stream = server.connect();
    let head = format!(
        "POST {SESSION} HTTP/1.1\r\nhost: showcase\r\nx-forwarded-for: {address}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).expect("sent");
    stream
}

fn status_of(stream: &mut TcpStream) -> u16 {
    let answer = read_to_end(stream);
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_else(|| panic!("{answer}"))
}

fn is_answered(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).expect("a socket");
    let answered = stream.peek(&mut [0]).is_ok();
    stream.set_nonblocking(false).expect("a socket");
    answered
}

#[test]
fn a_flood_from_a_hundred_networks_does_not_lock_out_a_known_address() {
    let place = behind_a_proxy();
    let server = place.serve();
    assert_eq!(try_from(&server, "2001:db8:aaaa::1", PASSWORD).status, 204);
    let mut flood: Vec<TcpStream> =
        (0..120).map(|n| guess_from(&server, &format!("2001:db9:{n:x}::1"))).collect();
    let known = try_from(&server, "2001:db8:aaaa::1", PASSWORD);
    assert_eq!(known.status, 204, "{}", known.text());
    let waiting = flood.iter().filter(|stream| !is_answered(stream)).count();
    assert!(waiting > 30, "only {waiting} still wait: the known address waited behind the others");
    let statuses: Vec<u16> = flood.iter_mut().map(status_of).collect();
    assert!(statuses.iter().all(|status| [401, 429].contains(status)), "{statuses:?}");
    assert!(statuses.contains(&401) && statuses.contains(&429), "{statuses:?}");
}

#[test]
fn a_network_gets_few_guesses_however_many_addresses_it_has() {
    let place = behind_a_proxy();
    let server = place.serve();
    assert_eq!(try_from(&server, "2001:db8:1:ffff::1", PASSWORD).status, 204);
    let started = std::time::Instant::now();
    let mut flood: Vec<TcpStream> =
        (0..60).map(|n| guess_from(&server, &format!("2001:db8:1:{n:x}::1"))).collect();
    let checked = flood.iter_mut().map(status_of).filter(|status| *status == 401).count();
    // Thirty at once, less the one above, and three more each minute.
    let most = 29 + started.elapsed().as_secs() as usize / 20;
    assert!((1..=most).contains(&checked), "{checked} of {most}");
    assert_eq!(try_from(&server, "2001:db8:1:63::1", PASSWORD).status, 429, "a stranger of that network");
    assert_eq!(try_from(&server, "2001:db8:1:ffff::1", PASSWORD).status, 204, "but not a known address");
    assert_eq!(try_from(&server, "2001:db8:2::1", PASSWORD).status, 204, "nor another network");
}

#[test]
fn no_address_is_stored_in_readable_form() {
    let place = behind_a_proxy();
    let server = place.serve();
    assert_eq!(try_from(&server, "198.51.100.77", PASSWORD).status, 204);
    for file in [place.database(), place.path("showcase.db-wal")] {
        let bytes = std::fs::read(&file).unwrap_or_default();
        for trace in [b"198.51.100.77".as_slice(), &[198, 51, 100, 77]] {
            assert!(!contains(&bytes, trace), "{}", file.display());
        }
    }
}

#[test]
fn a_changed_password_ends_all_sessions_wherever_it_is_set() {
    let hash = |password: &str| {
        let place = migrated("");
        assert!(place.run_with_input(&["password"], &format!("{password}\n")).status.success());
        place.sql::<String>("select value from settings where key = 'admin.password_hash'")
    };
    let (one, other) = (hash(PASSWORD), hash(OTHER));
    let plain = |password: &str| format!("[admin]\npassword = '{password}'\n");
    let hashed = |hash: &str| format!("[admin]\npassword_hash = '{hash}'\n");
    for (name, before, after, is_kept) in [
        ("the same password", plain(PASSWORD), plain(PASSWORD), true),
        ("another password", plain(PASSWORD), plain(OTHER), false),
        ("the same hash", hashed(&one), hashed(&one), true),
        ("another hash", hashed(&one), hashed(&other), false),
        ("a hash in place of a password", plain(PASSWORD), hashed(&other), false),
        ("a password in place of a hash", hashed(&one), plain(OTHER), false),
        ("a password of the settings in place of none", String::new(), plain(OTHER), false),
    ] {
        let (place, server) = served(&before);
        let password = if before.is_empty() { server.generated_password() } else { PASSWORD };
        assert!(place.run_with_input(&["user", "add", "ines"], "a-long-enough-one\n").status.success());
        let shared = server.sign_in_with(&json!({ "password": password }));
        let named = server.sign_in_with(&json!({ "username": "ines", "password": "a-long-enough-one" }));
        drop(server);
        std::fs::write(place.path("config.toml"), &after).expect("a file");
        let server = place.serve();
        assert_eq!(server.is_signed_in(&shared), is_kept, "{name}");
        assert_eq!(
            server.is_signed_in(&named),
            is_kept,
            "{name}: whoever knew it may have created an account"
        );
        let lines: i64 = place
            .sql("select count(*) from audit_log where action = 'all sessions ended' and actor = 'program'");
        assert_eq!(lines, i64::from(!is_kept), "{name}");
        drop(server);
        let server = place.serve();
        assert_eq!(server.is_signed_in(&shared), is_kept, "{name}, after one more start");
    }
}

#[test]
fn many_sessions_after_a_start_cause_one_password_comparison() {
    let place = Place::new(&configured(PASSWORD, ""));
    drop(place.serve());
    let server = place.serve();
    let before = peak_megabytes(&server);
    let all_at_once = Barrier::new(200);
    std::thread::scope(|scope| {
        for _ in 0..200 {
            scope.spawn(|| {
                all_at_once.wait();
                assert!(!server.is_signed_in("showcase_session=abab"));
            });
        }
    });
    // Each comparison takes 19 MB, so one per request would take gigabytes.
    let grown = peak_megabytes(&server) - before;
    assert!(grown < 200, "{grown} MB more");
}

/// The server's peak memory.
fn peak_megabytes(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.process_id())).expect("a process");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("a line");
    line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok()).expect("a number") / 1024
}

#[test]
fn sessions_end_once_if_the_password_of_their_time_is_not_known() {
    let (place, server) = served(&configured(PASSWORD, ""));
    let cookie = server.sign_in_with(&json!({ "password": PASSWORD }));
    drop(server);
    place.execute("delete from settings where key = 'admin.password_in_use'");
    let server = place.serve();
    assert!(!server.is_signed_in(&cookie), "its password is not known");
    let again = server.sign_in_with(&json!({ "password": PASSWORD }));
    drop(server);
    assert!(place.serve().is_signed_in(&again));
    let detail: String = place.sql("select detail from audit_log where action = 'all sessions ended'");
    assert_eq!(detail, r#"{"reason":"upgrade","sessions":1}"#);
}

#[test]
fn a_password_set_by_command_ends_no_session_at_the_next_start() {
    let place = migrated("");
    assert!(place.run_with_input(&["password"], &format!("{PASSWORD}\n")).status.success());
    let server = place.serve();
    assert!(!server.greeting.contains("shown this once"), "{}", server.greeting);
    let cookie = server.sign_in_with(&json!({ "password": PASSWORD }));
    drop(server);
    assert!(place.serve().is_signed_in(&cookie));
}

#[test]
fn a_session_ends_after_seven_days_however_much_it_is_used() {
    let (place, server) = served(&configured(PASSWORD, "session_hours = 480"));
    let cookie = server.sign_in_with(&json!({ "password": PASSWORD }));
    let told = server.get(SESSION, &[("cookie", &cookie)]).json();
    let ends: chrono::DateTime<chrono::Utc> =
        told["expiresAt"].as_str().expect("an instant").parse().expect("RFC 3339");
    assert!(ends - clock::now() <= chrono::TimeDelta::days(7), "{told}");
    for (days, stays) in [(6, true), (8, false)] {
        let earlier = (clock::now() - chrono::TimeDelta::days(days)).to_rfc3339();
        place.execute_with("update sessions set created_at = ?", [earlier.replace("+00:00", "Z")]);
        assert_eq!(server.is_signed_in(&cookie), stays, "{days}");
    }
}

#[test]
fn changing_accounts_long_after_sign_in_needs_the_password_again() {
    let (place, server) = served(&configured(PASSWORD, ""));
    let shared = server.sign_in_with(&json!({ "password": PASSWORD }));
    let post =
        |cookie: &str, path: &str, body: &str| server.send("POST", path, &[JSON, ("cookie", cookie)], body);
    let account = r#"{"username":"ines","password":"a-long-enough-one"}"#;
    assert_eq!(post(&shared, "/api/admin/accounts", account).status, 201, "just signed in");
    let ines = server.sign_in_with(&json!({ "username": "ines", "password": "a-long-enough-one" }));
    let ids = server.get("/api/admin/sessions", &[("cookie", &ines)]).json();
    let other = ids["items"].as_array().expect("a list").iter().find(|one| one["isThis"] == false);
    let other = other.expect("the shared one")["id"].as_str().expect("an id").to_owned();
    let eleven_minutes = (clock::now() - chrono::TimeDelta::minutes(11)).to_rfc3339();
    place.execute_with("update sessions set created_at = ?", [eleven_minutes.replace("+00:00", "Z")]);
    for (method, path, body) in [
        ("POST", "/api/admin/accounts", r#"{"username":"jo","password":"a-long-enough-one"}"#),
        ("PATCH", "/api/admin/accounts/ines", r#"{"password":"another-long-one"}"#),
        ("DELETE", "/api/admin/accounts/ines", ""),
        ("DELETE", &format!("/api/admin/sessions/{other}"), ""),
    ] {
        let refused = server.send(method, path, &[JSON, ("cookie", &ines)], body);
        assert_eq!((refused.status, &refused.json()["code"]), (403, &json!("password_required")), "{path}");
    }
    assert_eq!(place.sql::<i64>("select count(*) from sessions"), 2, "nothing has happened");
    assert_eq!(place.sql::<i64>("select count(*) from accounts"), 1);
    assert_eq!(
        server.get("/api/admin/accounts", &[("cookie", &ines)]).status,
        200,
        "reading is still allowed"
    );

    let confirm = "/api/admin/session/confirm";
    for (body, status) in [
        (json!({ "password": "wrong" }), 422),
        (json!({ "password": PASSWORD }), 422),
        (json!({}), 422),
        (json!({ "password": 7 }), 400),
    ] {
        assert_eq!(post(&ines, confirm, &body.to_string()).status, status, "{body}");
    }
    assert_eq!(post("", confirm, r#"{"password":"a-long-enough-one"}"#).status, 401);
    let foreign = [JSON, ("cookie", ines.as_str()), ("origin", "https://evil.example")];
    assert_eq!(server.send("POST", confirm, &foreign, r#"{"password":"a-long-enough-one"}"#).status, 403);
    assert_eq!(post(&ines, "/api/admin/accounts", account).status, 403, "still");
    assert_eq!(post(&ines, confirm, r#"{"password":"a-long-enough-one"}"#).status, 204);
    assert_eq!(post(&ines, "/api/admin/accounts", account).status, 409);
    assert_eq!(post(&shared, "/api/admin/accounts", account).status, 403, "another session is not confirmed");
    let ended = server.send("DELETE", &format!("/api/admin/sessions/{other}"), &[("cookie", &ines)], "");
    assert_eq!(ended.status, 204);
}

#[test]
fn confirming_a_password_has_the_rate_of_signing_in() {
    let (place, server) =
        served(&format!("[admin]\npassword = '{PASSWORD}'\n[limits]\nsign_ins_per_minute = 3\n"));
    let cookie = server.sign_in_with(&json!({ "password": PASSWORD }));
    let confirm = || {
        let body = json!({ "password": "wrong" }).to_string();
        server.send("POST", "/api/admin/session/confirm", &[JSON, ("cookie", &cookie)], &body).status
    };
    assert_eq!([confirm(), confirm(), confirm(), confirm()], [422, 422, 422, 429]);
    let count: String = place.sql("select detail from audit_log where action = 'sign-ins refused'");
    assert_eq!(count, r#"{"count":3}"#);
}

#[test]
fn eight_tokens_are_checked_and_signing_out_ends_only_real_sessions() {
    let (place, server) = served(&configured(PASSWORD, ""));
    let [ninth, second] = [(); 2].map(|()| server.sign_in_with(&json!({ "password": PASSWORD })));
    let sign_out = |cookies: &str| {
        assert_eq!(server.send("DELETE", SESSION, &[("cookie", cookies)], "").status, 204);
    };
    sign_out(&format!("{}{ninth}", "showcase_session=0; ".repeat(8)));
    assert!(server.is_signed_in(&ninth));
    for cookies in [format!("showcase_session=0123; {ninth}"), format!("{ninth}; showcase_session=0123")] {
        assert!(server.is_signed_in(&cookies), "{cookies}");
    }
    let many = format!("{}{ninth}", "showcase_session=0; ".repeat(50));
    assert!(!server.is_signed_in(&many), "not among dozens");
    sign_out(&format!("showcase_session=0; {second}"));
    assert!(!server.is_signed_in(&second));
    assert_eq!(place.sql::<i64>("select count(*) from audit_log where action = 'signed out'"), 1);
}

#[test]
fn under_https_a_sibling_domain_cannot_set_the_cookies() {
    let (_place, server) =
        served(&format!("public_url = 'https://show.example.com'\n{}", configured(PASSWORD, "")));
    let reply = server.post(SESSION, &json!({ "password": PASSWORD }));
    assert!(set_cookie(&reply, "__Host-showcase_browser").contains("; Secure"));
    let cookie = set_cookie(&reply, "__Host-showcase_session");
    assert!(cookie.contains("; Secure"), "{cookie}");
    let cookie = cookie.split(';').next().expect("a pair");
    let token = cookie.split_once('=').expect("a pair").1;
    let planted = format!("{}{cookie}", "showcase_session=0; ".repeat(8));
    assert!(server.is_signed_in(&planted));
    assert!(!server.is_signed_in(&format!("showcase_session={token}")));
    let out = server.send("DELETE", SESSION, &[("cookie", &planted)], "");
    let set = out.header("set-cookie");
    assert!(set.starts_with("__Host-showcase_session=;") && set.contains("; Secure"), "{set}");
    assert!(!server.is_signed_in(&planted));
}

#[test]
fn expired_sessions_and_old_addresses_are_deleted() {
    let (place, server) = served(&configured(PASSWORD, ""));
    server.sign_in_with(&json!({ "password": PASSWORD }));
    assert_eq!(place.sql::<i64>("select count(*) from known_addresses"), 2, "the address and the browser");
    place.execute_with("update known_addresses set last_used_at = ?", [LONG_AGO]);
    place.execute_with("update sessions set created_at = ?", [LONG_AGO]);
    drop(server);
    let config = showcase::config::Config { database: place.database(), ..Default::default() };
    let store = showcase::store::Store::open(&place.database()).expect("a store");
    let content = showcase::site::current(&store).expect("content");
    let app = showcase::app::App::new(config, store, content).expect("an app");
    showcase::admin::sessions::delete_expired(&app).expect("done");
    drop(app);
    assert_eq!(place.sql::<i64>("select count(*) from known_addresses"), 0);
    assert_eq!(place.sql::<i64>("select count(*) from sessions"), 0);
    assert!(text(&place.run(&["user", "list"]).stdout).contains("name"));
}

/// The cookie of this name that a reply sets, with its attributes.
fn set_cookie(reply: &Reply, name: &str) -> String {
    let mut set = reply.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok());
    let pair = set.find(|value| value.starts_with(&format!("{name}=")));
    pair.unwrap_or_else(|| panic!("no {name}")).to_owned()
}

#[test]
fn strangers_behind_one_address_do_not_lock_out_a_known_browser() {
    // Few enough that the next try is far away even where checking a password takes seconds.
    let (place, server) = served(&format!(
        "[admin]\npassword = '{PASSWORD}'\n[proxy]\ntrusted = ['127.0.0.1']\n[limits]\nsign_ins_per_minute = 4\n"
    ));
    let attributes = set_cookie(&try_from(&server, "198.51.100.7", PASSWORD), "showcase_browser");
    for attribute in ["; HttpOnly", "; SameSite=Strict", "; Path=/", "; Max-Age=7776000"] {
        assert!(attributes.contains(attribute), "{attributes}");
    }
    let browser = attributes.split(';').next().expect("a pair");
    // Guests use up the rate of the address, in the hall where it is known and in another one.
    for address in ["198.51.100.7", "203.0.113.5"] {
        let mut guesses: Vec<TcpStream> = (0..12).map(|_| guess_from(&server, address)).collect();
        guesses.iter_mut().map(status_of).for_each(drop);
        assert_eq!(try_from(&server, address, PASSWORD).status, 429, "{address}");
        let sign_in = |cookie: &str, password: &str| {
            let body = json!({ "password": password }).to_string();
            server.send("POST", SESSION, &[JSON, ("x-forwarded-for", address), ("cookie", cookie)], &body)
        };
        let known = sign_in(browser, PASSWORD);
        assert_eq!(known.status, 204, "{address}: {}", known.text());
        assert_eq!(set_cookie(&known, "showcase_browser"), attributes, "the cookie stays the same");
        let session = set_cookie(&known, "showcase_session");
        let session = session.split(';').next().expect("a pair");
        let confirm = json!({ "password": PASSWORD }).to_string();
        let headers = [JSON, ("x-forwarded-for", address), ("cookie", session)];
        assert_eq!(server.send("POST", "/api/admin/session/confirm", &headers, &confirm).status, 204);
        // It is not a credential, and a forged one is ignored.
        assert!(!server.is_signed_in(browser));
        assert_eq!(sign_in(&format!("showcase_browser={}", "ab".repeat(32)), PASSWORD).status, 429);
    }
    // Its rate is that of an address.
    let sign_in = |password: &str| {
        let body = json!({ "password": password }).to_string();
        server.send("POST", SESSION, &[JSON, ("cookie", browser)], &body).status
    };
    let wrong: Vec<u16> = (0..12).map(|_| sign_in("wrong")).collect();
    assert!(wrong.contains(&401) && wrong.ends_with(&[429]), "{wrong:?}");
    place.assert_not_stored("organiser", &[browser.split_once('=').expect("a pair").1]);
}

#[test]
fn a_page_of_another_site_does_not_use_up_the_tries_of_an_address() {
    let place = Place::new(&format!(
        "[admin]\npassword = '{PASSWORD}'\n[limits]\nsign_ins_per_minute = 2\nwrites_per_minute = 2\n"
    ));
    let server = place.serve();
    let body = json!({ "password": PASSWORD, "email": "ada@example.com" }).to_string();
    for (path, status) in [(SESSION, 204), ("/api/artist/links", 202), ("/api/releases/0123", 404)] {
        for _ in 0..10 {
            let foreign = server.send("POST", path, &[JSON, ("origin", "https://evil.example")], &body);
            assert_eq!(foreign.status, 403, "{path}");
        }
        assert_eq!(server.send("POST", path, &[JSON], &body).status, status, "{path}");
    }
}

#[test]
fn only_the_sites_own_origin_signs_in_and_another_host_name_says_which_address_to_use() {
    let (_place, server) =
        served(&format!("public_url = 'https://show.example.com'\n{}", configured(PASSWORD, "")));
    let body = json!({ "password": PASSWORD }).to_string();
    // Behind a proxy that sends another host.
    for (header, status) in [
        (("origin", "https://show.example.com"), 204),
        (("origin", "http://show.example.com"), 403),
        (("origin", "https://show.example.com.evil.example"), 403),
        (("sec-fetch-site", "cross-site"), 403),
    ] {
        assert_eq!(server.send("POST", SESSION, &[JSON, header], &body).status, status, "{header:?}");
    }
    let cookie = server.sign_in();
    let foreign = [("cookie", cookie.as_str()), ("origin", "https://evil.example")];
    assert_eq!(server.send("DELETE", SESSION, &foreign, "").status, 403);
    assert!(server.is_signed_in(&cookie));
    let at = |host: &str, origin: &str| {
        server.raw(
            format!(
                "POST {SESSION} HTTP/1.1\r\nhost: {host}\r\norigin: {origin}\r\nsec-fetch-site: same-origin\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            )
            .as_bytes(),
        )
    };
    let told = at("www.show.example.com", "https://www.show.example.com");
    assert!(told.starts_with("HTTP/1.1 403"), "{told}");
    assert!(told.contains("Open https://show.example.com instead"), "{told}");
    let foreign = at("show.example.com", "https://evil.example");
    assert!(foreign.contains("came from another site"), "{foreign}");
}
