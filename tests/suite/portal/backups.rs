//! Photos in backups: each once, put back by a restore, and named when missing or damaged.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::portal::portal_site::{Portal, photo};
use crate::support::{clock, open, text, wait_for};

/// The names of the files in `media/` with their inodes.
fn files(portal: &Portal) -> BTreeMap<String, u64> {
    let entries = std::fs::read_dir(portal.place.path("backups/media")).expect("the folder");
    entries
        .map(|entry| entry.expect("an entry"))
        .map(|entry| {
            (entry.file_name().to_string_lossy().into_owned(), entry.metadata().expect("a file").ino())
        })
        .collect()
}

/// Makes a backup in the folder; its path.
fn back_up(portal: &Portal) -> String {
    let made = portal.place.done(&["backup"]);
    made.trim().to_owned()
}

/// What `doctor` says of photos that are missing or wrong.
pub fn damaged(portal: &Portal) -> String {
    let found = text(&portal.place.run(&["doctor"]).stdout);
    assert!(found.contains(" photos "), "{found}");
    found.lines().filter(|line| line.starts_with("PROBLEM  photos")).map(|line| format!("{line}\n")).collect()
}

/// A portal with two photos, and where the first one is.
fn portal_with_photos() -> (Portal, String, String) {
    let portal = Portal::open();
    // Backups are named by the second, and the server makes its first one now.
    wait_for("the server's own backup", || portal.place.log().contains("created the backup").then_some(()));
    portal.enter("ada@example.com");
    let cookie = portal.sign_in("ada@example.com");
    let id = portal.nomination(&cookie)["id"].as_i64().expect("an id");
    for (slot, width) in [("left", 900), ("right", 800)] {
        assert_eq!(portal.upload(&cookie, id, slot, &photo(width, 600)).status, 204);
    }
    let medium: i64 = portal.place.sql("select id from media where slot = 'left'");
    (portal, cookie, format!("/api/artist/media/{medium}"))
}

#[test]
fn backups_have_each_photo_once_and_a_restore_puts_them_back() {
    let (mut portal, cookie, path) = portal_with_photos();
    let shown = |portal: &Portal| portal.server.get(&path, &[("cookie", &cookie)]);
    let before = shown(&portal);
    let place = &portal.place;
    let full = place.command(&["backup"]).env("SHOWCASE_LIMITS_FREE_MEGABYTES", "1000000000000").output();
    let told = text(&full.expect("it runs").stderr);
    assert!(told.contains("The photos of this backup need "), "{told}");
    let first = back_up(&portal);
    let written = files(&portal);
    let named: String = portal.place.sql(
        "select group_concat(name, ' ') from
         (select sha256 as name from media union select thumbnail_sha256 from media order by name)",
    );
    assert_eq!(written.keys().cloned().collect::<Vec<_>>().join(" "), named);
    let plain = portal.place.path("unpacked.db");
    let mut packed =
        flate2::read::GzDecoder::new(std::fs::File::open(portal.place.path(&first)).expect("it"));
    std::io::copy(&mut packed, &mut std::fs::File::create(&plain).expect("a file")).expect("unpacked");
    let count = |sql: &str| -> i64 { open(&plain).query_row(sql, [], |row| row.get(0)).expect(sql) };
    assert_eq!((count("select count(*) from media_chunks"), count("select count(*) from media")), (0, 2));
    // Backups are named by the second.
    wait_for("a second backup", || (back_up(&portal) != first).then_some(()));
    assert_eq!(files(&portal), written, "no file is written again");

    portal.server.kill();
    portal.place.execute("delete from media; update nominations set state = 'forfeited'");
    let dry = portal.place.run(&["restore", &first, "--dry-run"]);
    assert!(dry.status.success() && text(&dry.stdout).contains("2  photos"), "{}", text(&dry.stderr));
    portal.place.done(&["restore", &first, "--yes"]);
    portal.site.restart();
    let after = shown(&portal);
    assert!(after.status == 200 && after.body == before.body, "{}", after.status);
    assert_eq!(damaged(&portal), "");
    // A file of one's own choice has everything.
    portal.place.done(&["backup", "all.db"]);
    let chunks: i64 = open(&portal.place.path("all.db"))
        .query_row("select count(*) from media_chunks", [], |row| row.get(0))
        .expect("a count");
    assert_eq!(chunks, 4);
}

#[test]
fn a_flipped_bit_and_a_missing_photo_are_named_by_doctor_and_the_restore() {
    let (portal, ..) = portal_with_photos();
    let made = back_up(&portal);
    let doctor = text(&portal.place.run(&["doctor"]).stdout);
    assert!(
        doctor.contains("2 photos of competitors take 3 MB in the database, and as much beside"),
        "{doctor}"
    );
    assert_eq!(damaged(&portal), "");
    let names: Vec<String> = files(&portal).into_keys().collect();
    let file = |name: &str| -> PathBuf { portal.place.path(&format!("backups/media/{name}")) };
    let mut bytes = std::fs::read(file(&names[0])).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(file(&names[0]), bytes).expect("a flipped bit");
    std::fs::remove_file(file(&names[1])).expect("a lost file");
    let rehearsed = portal.place.run(&["restore", &made, "--dry-run"]);
    assert_eq!(rehearsed.status.code(), Some(1));
    for printed in [damaged(&portal), text(&rehearsed.stdout)] {
        for line in [format!("wrong    {}", names[0]), format!("missing  {}", names[1])] {
            assert!(printed.contains(&line), "{line}: {printed}");
        }
        assert!(!printed.contains(&names[2]), "{printed}");
    }
    std::fs::remove_file(file(&names[0])).expect("deleted, as doctor says");
    wait_for("another backup", || (back_up(&portal) != made).then_some(()));
    assert_eq!(damaged(&portal), "", "the next backup writes both again");

    // In the database too.
    let flip =
        "update media_chunks set content = zeroblob(length(content)) where media_id = 1 and size = 'full'";
    portal.place.execute(flip);
    let sha256: String = portal.place.sql("select sha256 from media where id = 1");
    let checked = damaged(&portal);
    assert!(checked.contains(&format!("wrong    {sha256}  in the database")), "{checked}");
}

#[test]
fn the_check_asks_the_backup_which_photos_it_needs_and_not_the_clock() {
    let (portal, cookie, _) = portal_with_photos();
    back_up(&portal);
    let id = portal.nomination(&cookie)["id"].as_i64().expect("an id");
    assert_eq!(portal.upload(&cookie, id, "close_up", &photo(700, 600)).status, 204);
    // As if the clock had been set back between the backup and the upload.
    let earlier = "update media set created_at = '2020-01-01T00:00:00.000Z' where slot = 'close_up'";
    portal.place.execute(earlier);
    assert_eq!(damaged(&portal), "");
    // The other way round: a photo that the backup needs is missing, although it has left the database.
    let sha256: String = portal.place.sql("select sha256 from media where slot = 'left'");
    portal.place.execute("delete from media where slot = 'left'");
    std::fs::remove_file(portal.place.path(&format!("backups/media/{sha256}"))).expect("a lost file");
    let checked = damaged(&portal);
    assert_eq!(checked.lines().count(), 1, "{checked}");
    assert!(checked.contains(&format!("missing  {sha256}")), "{checked}");
}

#[test]
fn a_backup_that_is_older_or_newer_than_the_photos_beside_it_names_what_is_missing() {
    let (mut portal, cookie, _) = portal_with_photos();
    let id = portal.nomination(&cookie)["id"].as_i64().expect("an id");
    let hashes = |portal: &Portal| -> Vec<String> {
        let slots = ["left", "right"].map(|slot| {
            portal.place.sql::<String>(&format!(
                "select sha256 || ' ' || thumbnail_sha256 from media where slot = '{slot}'"
            ))
        });
        slots.iter().flat_map(|pair| pair.split(' ').map(str::to_owned)).collect()
    };
    let (before, older) = (hashes(&portal), back_up(&portal));
    let kept = portal.place.path("earlier");
    copy_folder(&portal.place.path("backups/media"), &kept);
    assert_eq!(portal.upload(&cookie, id, "left", &photo(1000, 600)).status, 204);
    // A backup in the same second would replace the older one.
    let (second, made_at) = (|| clock::now().timestamp(), clock::now().timestamp());
    wait_for("the next second", || (second() > made_at).then_some(()));
    let newer = back_up(&portal);
    let after = hashes(&portal);
    portal.server.kill();
    // The photos are newer: all that the older backup needs is still there.
    portal.place.done(&["restore", &older, "--dry-run"]);
    // Until what only the older one needs has left: it names those.
    let folder = portal.place.path("backups/media");
    let lost = ["missing".to_owned(), before[0].clone(), before[1].clone()];
    for name in &before[..2] {
        std::fs::remove_file(folder.join(name)).expect("deleted");
    }
    assert_eq!(named(&portal, &older), lost);
    // The photos are older than the backup: it names those that came since.
    std::fs::remove_dir_all(&folder).expect("removed");
    copy_folder(&kept, &folder);
    assert_eq!(named(&portal, &newer), ["missing".to_owned(), after[0].clone(), after[1].clone()]);
    // It is restored all the same, with the photo that is there, and the competitor can send the other one again.
    let restored = portal.place.run(&["restore", &newer, "--yes"]);
    assert!(
        restored.status.success() && text(&restored.stderr).contains(&after[0]),
        "{}",
        text(&restored.stderr)
    );
    portal.site.restart();
    let shown = |slot: &str| {
        let path = format!("/api/artist/media/{}", portal.slot(&cookie, slot)["media"]["id"]);
        portal.server.get(&path, &[("cookie", &cookie)]).status
    };
    assert_eq!((shown("right"), shown("left")), (200, 503));
    assert_eq!(portal.upload(&cookie, id, "left", &photo(1000, 600)).status, 204);
    assert_eq!(shown("left"), 200);
    assert_ne!(damaged(&portal), "", "beside the backup it is still missing");
}

/// What a rehearsed restore says is missing: the word, and the names.
fn named(portal: &Portal, backup: &str) -> Vec<String> {
    let rehearsed = portal.place.run(&["restore", backup, "--dry-run"]);
    assert_eq!(rehearsed.status.code(), Some(1));
    let printed = text(&rehearsed.stdout);
    let lines = printed.lines().map(str::trim).filter(|line| line.starts_with("missing"));
    let names = lines.filter_map(|line| line.split_whitespace().nth(1)).map(str::to_owned);
    std::iter::once("missing".to_owned()).chain(names).collect()
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        std::fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
    }
}
