//! Runs the code blocks of docs/hosting.md as they are: from an empty folder to an HTTPS page with a certificate of a
//! real authority, then backup, upgrade and restore.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use crate::support::BINARY;
use crate::support::authority::Authority;
use crate::support::ports::free_port;
use crate::support::unprivileged::copy_program;

#[test]
fn the_guide_leads_from_an_empty_folder_to_an_https_page_and_back() {
    let authority = Authority::start(90 * 24 * 3600);
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir(path("bin")).expect("a folder");
    copy_program(&path("bin/showcase"));
    std::fs::write(path("roots.pem"), authority.roots()).expect("a file");
    let port = free_port();
    let address = format!("127.0.0.1:{port}");
    authority.tls_gate.open_to(&address);
    let curlrc = format!(
        "connect-to = \"showcase.example.com:443:{address}\"\ncacert = \"{}\"\nmax-time = 60\n",
        path("roots.pem").display()
    );
    std::fs::write(path(".curlrc"), curlrc).expect("a file");
    std::fs::write(path("guide.sh"), format!("set -eux\n{}", boxes())).expect("a file");
    let search = std::env::var("PATH").expect("a path");
    let mut guide = Command::new("bash")
        .arg(path("guide.sh"))
        .current_dir(folder.path())
        .process_group(0)
        .env("PATH", format!("{}:{search}", path("bin").display()))
        .env("CURL_HOME", folder.path())
        .env("NEW_SHOWCASE", BINARY)
        .env("SHOWCASE_TLS_DIRECTORY_URL", authority.directory())
        .env("SHOWCASE_TLS_CA_FILE", authority.path("own.pem"))
        .env("SHOWCASE_TLS_LISTEN", &address)
        .env("SHOWCASE_TLS_HTTP_LISTEN", "127.0.0.1:0")
        .stdout(std::fs::File::create(path("guide.out")).expect("a file"))
        .stderr(std::fs::File::create(path("guide.err")).expect("a file"))
        .spawn()
        .expect("bash runs");
    let group = format!("-{}", guide.id());
    let ended = crate::support::wait_longer("the end of the guide", || guide.try_wait().expect("a process"));
    let _ = Command::new("kill").args(["-KILL", "--", &group]).output();
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap_or_default();
    let log = read("showcase/server.log");
    assert!(
        ended.is_some_and(|status| status.success()),
        "{}\n{}\n{log}",
        read("guide.out"),
        read("guide.err")
    );
    assert!(read("guide.out").contains("1  waitlist-signups"), "{}", read("guide.out"));
    assert!(log.contains("serving the stored certificate") && !log.contains("a new certificate"), "{log}");
    assert!(read("guide.out").contains("V1  applied"));
}

/// The contents of the guide's code blocks for a shell.
fn boxes() -> String {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/hosting.md");
    let text = std::fs::read_to_string(guide).expect("the guide");
    let boxes: Vec<&str> =
        text.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect();
    assert!(boxes.len() >= 6, "the guide has lost its boxes");
    boxes.join("\n")
}
