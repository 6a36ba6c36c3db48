//! Videos: taken only where the content allows them, emptied of everything but pictures and sound, and sent in parts.

use serde_json::Value;

use crate::portal::backups::damaged;
use crate::portal::portal_site::{CHUNK, Portal, photo};
use crate::portal::sample_video::{SAMPLE, Sample, mp4_box, picture};
use crate::support::Reply;

/// Larger than a chunk.
const LARGE: Sample = Sample { picture_bytes: 250_000, ..SAMPLE };

/// A portal that takes videos, with one competitor who is signed in: the cookie and the nomination's id.
fn portal() -> (Portal, String, i64) {
    let (portal, cookie) = Portal::with_artist();
    portal.allow_videos(&cookie);
    let id = portal.nomination(&cookie)["id"].as_i64().expect("an id");
    (portal, cookie, id)
}

fn range(portal: &Portal, path: &str, cookie: &str, range: &str) -> Reply {
    portal.server.get(path, &[("cookie", cookie), ("range", range)])
}

#[test]
fn nothing_asks_for_a_video_or_takes_one_unless_the_content_allows_it() {
    let (portal, cookie) = Portal::with_artist();
    let nomination = portal.nomination(&cookie);
    assert!(!nomination.to_string().contains("video"), "{nomination}");
    let id = nomination["id"].as_i64().expect("an id");
    assert_eq!(portal.begin(&cookie, id, "video", 1000).status, 422);
    portal.allow_videos(&cookie);
    let slot = portal.slot(&cookie, "video");
    assert_eq!((&slot["kind"], &slot["required"]), (&Value::from("video"), &Value::from(false)));
    assert_eq!(portal.slot(&cookie, "left")["kind"], "photo");
    let missing = portal.nomination(&cookie)["missing"].to_string();
    assert!(!missing.contains("video"), "{missing}");
    assert_eq!(portal.begin(&cookie, id, "video", 1000).status, 201);
}

#[test]
fn begun_videos_of_one_nomination_cannot_fill_the_disk() {
    let (portal, cookie, id) = portal();
    let begun: Vec<String> = (0..6).map(|_| portal.begun(&cookie, id, "video", 90_000_000)).collect();
    let is_known = |upload: &String| {
        let reply = portal.server.send("HEAD", upload, &[("cookie", &cookie)], "");
        assert!(matches!(reply.status, 200 | 404), "{}", reply.status);
        reply.status == 200
    };
    let known = begun.iter().filter(|upload| is_known(upload)).count();
    assert_eq!(known, 5, "450 MB may be begun at once");
    assert!(is_known(&begun[5]), "the oldest gives way");
}

#[test]
fn a_video_keeps_its_pictures_and_loses_every_text_and_is_sent_in_parts() {
    let (portal, cookie, id) = portal();
    let file = LARGE.file();
    assert!(file.len() > CHUNK && String::from_utf8_lossy(&file).matches("canary").count() >= 25);
    portal.upload(&cookie, id, "video", &file).expect(204);
    let copied = "select count(*) from media_chunks where size = 'full'";
    assert_eq!(portal.place.sql::<i64>(copied), 0, "the video stays in the chunks that it came in");
    let medium = portal.slot(&cookie, "video")["media"].take();
    let of = (&medium["kind"], &medium["width"], &medium["height"], &medium["bytes"]);
    let expected = (&Value::from("video"), &Value::from(1080), &Value::from(1920), &Value::from(file.len()));
    assert_eq!(of, expected);
    let own = format!("/api/artist/media/{}", medium["id"]);
    let whole = portal.server.get(&own, &[("cookie", &cookie)]);
    assert_eq!((whole.status, whole.header("content-type")), (200, "video/mp4"));
    assert_eq!((whole.header("accept-ranges"), whole.body.len()), ("bytes", file.len()));
    for number in 0..LARGE.seconds {
        let picture = picture(number, LARGE.picture_bytes);
        let place = file.windows(64).position(|window| window == &picture[..64]).expect("a picture");
        assert!(whole.body[place..place + picture.len()] == picture, "picture {number}");
    }
    let answer = format!("{:?} {}", whole.headers, String::from_utf8_lossy(&whole.body)).to_lowercase();
    for canary in ["canary", "ada", "40.6892", "xmpmeta", "apple", "studio"] {
        assert!(!answer.contains(canary), "{canary}");
    }
    let organiser = portal.site.cookie();
    let decided = format!("/api/nominations/{id}/photos/video?size=full");
    for (path, cookie) in [(&own, &cookie), (&decided, &organiser)] {
        let mut read = Vec::new();
        while read.len() < file.len() {
            let part = range(&portal, path, cookie, &format!("bytes={}-", read.len()));
            assert_eq!((part.status, part.header("content-type")), (206, "video/mp4"));
            let last = read.len() + part.body.len() - 1;
            let said = format!("bytes {}-{last}/{}", read.len(), file.len());
            assert_eq!(part.header("content-range"), said);
            read.extend(part.body);
        }
        assert!(read == whole.body, "the parts are the whole");
        // Over the border of two chunks.
        let across = range(&portal, path, cookie, &format!("bytes={}-{}", CHUNK - 2, CHUNK + 1));
        assert!(across.status == 206 && across.body == whole.body[CHUNK - 2..CHUNK + 2]);
        let end = range(&portal, path, cookie, "bytes=-10");
        assert!(end.status == 206 && end.body == whole.body[file.len() - 10..]);
        let past = range(&portal, path, cookie, &format!("bytes={}-", file.len()));
        assert_eq!(
            (past.status, past.header("content-range")),
            (416, format!("bytes */{}", file.len()).as_str())
        );
        assert!(past.body.is_empty());
    }
    for (path, cookie) in
        [(format!("{own}?size=thumbnail"), &cookie), (decided.replace("full", "thumbnail"), &organiser)]
    {
        let thumbnail = portal.server.get(&path, &[("cookie", cookie)]);
        assert_eq!((thumbnail.status, thumbnail.header("content-type")), (200, "image/jpeg"));
        assert!(image::load_from_memory(&thumbnail.body).is_ok(), "a drawing stands for the video");
    }
    assert_eq!(range(&portal, &own, "", "bytes=0-").status, 401);
    let policy = portal.server.get("/artist-portal", &[]);
    assert!(policy.header("content-security-policy").contains("media-src 'self'"));
}

#[test]
fn a_video_that_is_replaced_or_deleted_and_an_upload_that_is_ended_leave_no_bytes() {
    let (portal, cookie, id) = portal();
    let uploads = "select count(distinct upload_id) from upload_chunks";
    for _ in 0..2 {
        assert_eq!(portal.upload(&cookie, id, "video", &LARGE.file()).status, 204);
        assert_eq!(portal.place.sql::<i64>(uploads), 1);
    }
    let begun = portal.begun(&cookie, id, "video", 3 * CHUNK);
    assert_eq!(portal.append(&cookie, &begun, 0, &vec![1; CHUNK]).status, 204);
    assert_eq!(portal.place.sql::<i64>(uploads), 2);
    let headers = [("cookie", cookie.as_str())];
    assert_eq!(portal.server.send("DELETE", &begun, &headers, "").status, 204);
    assert_eq!(portal.place.sql::<i64>(uploads), 1, "the video needs its own");
    let path = format!("media/{}", portal.slot(&cookie, "video")["media"]["id"]);
    assert_eq!(portal.send("DELETE", &path, &cookie, &Value::Null).status, 204);
    assert_eq!(portal.place.sql::<i64>(uploads), 0);
}

#[test]
fn what_is_no_video_too_long_or_damaged_is_refused_and_leaves_nothing() {
    let (portal, cookie, id) = portal();
    let whole = SAMPLE.file();
    let mut lying = whole.clone();
    let place = lying.windows(4).position(|window| window == b"mdat").expect("the data") - 4;
    lying[place..place + 4].copy_from_slice(&u32::MAX.to_be_bytes());
    for (slot, file, status, reason) in [
        // A HEIC that is called .mp4.
        ("video", mp4_box(b"ftyp", b"heic\0\0\0\0mif1heic"), 415, "MP4 or MOV"),
        ("video", photo(700, 500), 415, "MP4 or MOV"),
        ("video", b"<script>alert(1)</script> and so on".to_vec(), 415, "MP4 or MOV"),
        ("video", whole[..whole.len() - 5].to_vec(), 422, "incomplete"),
        ("video", lying, 422, "incomplete"),
        ("video", Sample { seconds: 180, ..SAMPLE }.file(), 422, "3:00 minutes"),
        ("left", whole.clone(), 415, "JPEG, PNG or WebP"),
    ] {
        let reply = portal.upload(&cookie, id, slot, &file);
        assert_eq!(reply.status, status, "{slot}: {}", reply.text());
        assert!(reply.text().contains(reason), "{}", reply.text());
    }
    for count in ["uploads", "upload_chunks", "media", "media_chunks"] {
        assert_eq!(portal.place.sql::<i64>(&format!("select count(*) from {count}")), 0, "{count}");
    }
    for (slot, length, status) in
        [("video", 101_000_000, 413), ("video", 100_000_000, 201), ("left", 25_000_001, 413)]
    {
        assert_eq!(portal.begin(&cookie, id, slot, length).status, status, "{slot} {length}");
    }
}

#[test]
fn backups_the_export_and_the_erasure_of_a_person_take_a_video_along() {
    let (mut portal, cookie, id) = portal();
    assert_eq!(portal.upload(&cookie, id, "video", &LARGE.file()).status, 204);
    let path = format!("/api/artist/media/{}", portal.slot(&cookie, "video")["media"]["id"]);
    let before = portal.server.get(&path, &[("cookie", &cookie)]);
    let run = |portal: &Portal, arguments: &[&str]| {
        let done = portal.place.done(arguments);
        done.trim().to_owned()
    };
    let backup = run(&portal, &["backup"]);
    let sha256: String = portal.place.sql("select sha256 from media");
    let file = portal.place.path(&format!("backups/media/{sha256}"));
    assert!(std::fs::read(&file).expect("the file") == before.body);
    assert_eq!(damaged(&portal), "");
    assert!(run(&portal, &["person", "export", "ada@example.com"]).contains(&sha256));
    run(&portal, &["person", "erase", "ada@example.com", "--yes"]);
    assert_eq!(
        portal.place
            .sql::<i64>("select (select count(*) from media) + (select count(*) from media_chunks) + (select count(*) from upload_chunks)"),
        0
    );
    portal.server.kill();
    assert!(run(&portal, &["restore", &backup, "--dry-run"]).contains("1  photos"));
    // The database is lost. Otherwise a restore would erase her again.
    for ending in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(portal.place.path(&format!("showcase.db{ending}")));
    }
    run(&portal, &["restore", &backup, "--yes"]);
    portal.site.restart();
    let after = portal.server.get(&path, &[("cookie", &cookie)]);
    assert!(after.status == 200 && after.body == before.body, "{}", after.status);
    // One flipped bit is found.
    let mut bytes = std::fs::read(&file).expect("the file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, bytes).expect("a flipped bit");
    assert!(damaged(&portal).contains(&format!("wrong    {sha256}")));
}
