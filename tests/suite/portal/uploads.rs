//! Photos arrive chunk by chunk, even if connections break. Other files are refused.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::portal::backups::damaged;
use crate::portal::portal_site::{CHUNK, Portal, photo, upload_metadata};
use crate::support::{clock, limit_files, wait_for};

/// A portal with one competitor who is signed in: the cookie and the nomination's id.
fn portal() -> (Portal, String, i64) {
    let (portal, cookie) = Portal::with_artist();
    let id = portal.nomination(&cookie)["id"].as_i64().expect("an id");
    (portal, cookie, id)
}

#[test]
fn an_upload_goes_on_from_the_last_byte_on_disk_after_every_break() {
    let (mut portal, cookie, id) = portal();
    let file = photo(1300, 1000);
    assert!(file.len() > 2 * CHUNK, "{} bytes", file.len());
    let upload = portal.begun(&cookie, id, "left", file.len());
    let mut sent = 0;
    for (number, chunk) in file.chunks(CHUNK).enumerate() {
        let offset = number * CHUNK;
        // A line that breaks in the middle of a chunk: nothing of it is stored.
        let mut broken = portal.server.connect();
        write!(
            broken,
            "PATCH {upload} HTTP/1.1\r\nhost: {}\r\ncookie: {cookie}\r\ncontent-type: application/offset+octet-stream\r\n\
             tus-resumable: 1.0.0\r\nupload-offset: {offset}\r\ncontent-length: {}\r\n\r\n",
            portal.server.address,
            chunk.len()
        )
        .expect("sent");
        broken.write_all(&chunk[..chunk.len() / 2]).expect("sent");
        drop(broken);
        // And a server that is killed.
        portal.site.restart();
        assert_eq!(portal.offset(&cookie, &upload), offset);
        for wrong in [offset + 1, offset + CHUNK] {
            let reply = portal.append(&cookie, &upload, wrong, chunk);
            assert_eq!((reply.status, reply.header("upload-offset")), (409, offset.to_string().as_str()));
        }
        let reply = portal.append(&cookie, &upload, offset, chunk);
        sent = offset + chunk.len();
        assert_eq!((reply.status, reply.header("upload-offset")), (204, sent.to_string().as_str()));
    }
    assert_eq!((sent, portal.offset(&cookie, &upload)), (file.len(), file.len()));
    let kept = "select count(*) from upload_chunks";
    assert_eq!(portal.place.sql::<i64>(kept), 0, "the file that was uploaded is not kept");
    let slots = portal.nomination(&cookie)["slots"].clone();
    let slot = slots.as_array().expect("a list").iter().find(|slot| slot["key"] == "left").expect("the slot");
    let path = format!("/api/artist/media/{}", slot["media"]["id"]);
    for (query, longest) in [("", 1300), ("?size=thumbnail", 640)] {
        let reply = portal.server.get(&format!("{path}{query}"), &[("cookie", &cookie)]);
        assert_eq!((reply.status, reply.header("content-type")), (200, "image/jpeg"));
        let picture = image::load_from_memory(&reply.body).expect("a photo");
        assert_eq!(picture.width(), longest);
        assert!(!String::from_utf8_lossy(&reply.body).contains("canary"));
    }
}

#[test]
fn a_kill_at_any_moment_leaves_what_was_acknowledged_and_nothing_by_halves() {
    let (mut portal, cookie, id) = portal();
    let file = photo(1300, 1000);
    let chunks = "select coalesce(sum(length(content)), 0) from upload_chunks";
    let media = "select count(*) from media where bytes = (select sum(length(content)) from media_chunks
             where media_id = media.id and size = 'full')";
    let mut finished = 0;
    for moment in 0..12_u64 {
        let upload = portal.begun(&cookie, id, "left", file.len());
        let acknowledged = AtomicUsize::new(0);
        thread::scope(|scope| {
            let (upload, cookie, file, acknowledged) = (&upload, &cookie, &file, &acknowledged);
            let address = portal.server.address.clone();
            scope.spawn(move || {
                for (number, chunk) in file.chunks(CHUNK).enumerate() {
                    let offset = number * CHUNK;
                    if try_append(&address, cookie, upload, offset, chunk) {
                        acknowledged.store(offset + chunk.len(), Ordering::SeqCst);
                    }
                }
            });
            // Between any two steps, sooner or later ones in a faster or slower build.
            thread::sleep(Duration::from_millis(moment * moment * 10));
            portal.server.kill();
        });
        let (acknowledged, stored) = (acknowledged.into_inner(), portal.place.sql::<i64>(chunks));
        portal.site.restart();
        let offset = portal.offset(&cookie, &upload);
        assert!(offset >= acknowledged, "{acknowledged} bytes were acknowledged, and {offset} are there");
        if offset == file.len() {
            portal.place.wait_for_sql("the sweep of the uploaded file", chunks, 0);
            finished = 1;
        } else {
            assert_eq!(stored, offset as i64);
            let headers = [("cookie", cookie.as_str())];
            assert_eq!(portal.server.send("DELETE", &upload, &headers, "").status, 204);
        }
        assert_eq!(portal.place.sql::<i64>(media), finished, "the photo is whole");
        assert_eq!(portal.place.sql::<i64>("select count(*) from media"), finished);
    }
}

/// Sends a chunk to a server that may be killed meanwhile; whether the chunk was acknowledged.
fn try_append(address: &str, cookie: &str, upload: &str, offset: usize, chunk: &[u8]) -> bool {
    let head = format!(
        "PATCH {upload} HTTP/1.1\r\nhost: {address}\r\ncookie: {cookie}\r\ncontent-type: application/offset+octet-stream\r\n\
         tus-resumable: 1.0.0\r\nupload-offset: {offset}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        chunk.len()
    );
    let mut answer = Vec::new();
    let sent = TcpStream::connect(address).and_then(|mut stream| {
        stream.write_all(head.as_bytes())?;
        stream.write_all(chunk)?;
        stream.read_to_end(&mut answer)
    });
    sent.is_ok() && answer.starts_with(b"HTTP/1.1 204 ")
}

/// A photo whose metadata has canaries in every place that a camera or a program writes them to.
fn photo_with_canaries() -> Vec<u8> {
    let segment = |marker: u8, content: &[u8]| {
        let length = u16::try_from(content.len() + 2).expect("a short segment").to_be_bytes();
        [&[0xff, marker], length.as_slice(), content].concat()
    };
    // A TIFF with one directory of four texts (EXIF 2.32, 4.6.2): artist, copyright, description and software.
    let mut tiff = b"II*\0\x08\0\0\0\x04\0".to_vec();
    let mut texts: Vec<u8> = Vec::new();
    for (tag, text) in [
        (0x010e_u16, "Canary Description\0"),
        (0x0131, "Canary Software\0"),
        (0x013b, "Canary Artist\0"),
        (0x8298, "Canary Copyright\0"),
    ] {
        let at = 8 + 2 + 4 * 12 + 4 + texts.len();
        tiff.extend(tag.to_le_bytes());
        tiff.extend(2_u16.to_le_bytes());
        tiff.extend(u32::try_from(text.len()).expect("short").to_le_bytes());
        tiff.extend(u32::try_from(at).expect("short").to_le_bytes());
        texts.extend(text.as_bytes());
    }
    tiff.extend([0; 4]);
    tiff.extend(texts);
    let xmp = b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta><dc:creator>Canary Creator</dc:creator></x:xmpmeta>";
    let iptc = b"Photoshop 3.0\08BIM\x04\x04\0\0\0\0\0\x12\x1c\x02\x50\0\x0dCanary Byline";
    let whole = photo(900, 600);
    [
        &whole[..2],
        &segment(0xe1, &[b"Exif\0\0", tiff.as_slice()].concat()),
        &segment(0xe1, xmp),
        &segment(0xed, iptc),
        &segment(0xfe, b"Canary Comment"),
        &whole[2..],
        b"Canary Trailer<script>alert(1)</script>",
    ]
    .concat()
}

#[test]
fn no_byte_of_a_photo_tells_who_handed_it_in() {
    let (portal, cookie, id) = portal();
    let entrant = portal.place.sql::<String>(
        "select name || char(10) || business_name || char(10) || email || char(10) || phone from competition_entries",
    );
    let file = photo_with_canaries();
    let found = String::from_utf8_lossy(&file).matches("Canary ").count();
    assert_eq!(found, 8, "the file that is uploaded has them all");
    assert_eq!(portal.upload(&cookie, id, "left", &file).status, 204);
    let software: String = portal.place.sql("select software from media");
    assert_eq!(software, "Canary Software", "which only the organiser sees");
    let medium: i64 = portal.place.sql("select id from media");
    let mut canaries: Vec<String> =
        ["canary", "ada-canary.jpg", "<script", "exif", "photoshop", "xmpmeta"].map(str::to_owned).to_vec();
    canaries.extend(
        entrant.lines().flat_map(|line| [line.to_lowercase(), line.replace([' ', '@'], "").to_lowercase()]),
    );
    for query in ["", "?size=thumbnail"] {
        let reply = portal
            .server
            .get(&format!("/api/artist/media/{medium}{query}"), &[("cookie", &cookie)])
            .expect(200);
        let whole = format!("{:?} {}", reply.headers, String::from_utf8_lossy(&reply.body)).to_lowercase();
        // Texts of metadata may be in UTF-16 too.
        let narrow: String = whole.chars().filter(|character| *character != '\0').collect();
        for canary in canaries.iter().filter(|canary| !canary.is_empty()) {
            assert!(!whole.contains(canary) && !narrow.contains(canary), "{canary} is in the photo{query}");
        }
    }
}

#[test]
fn what_is_no_photo_or_too_large_is_refused_and_leaves_nothing() {
    let (portal, cookie, id) = portal();
    let whole = photo(700, 500);
    let small = photo(300, 300);
    let too_wide = {
        // A PNG's head with 64,000 x 64,000 pixels; its checksum is never reached.
        let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        png.extend([0, 0, 0xfa, 0, 0, 0, 0xfa, 0, 8, 2, 0, 0, 0, 0, 0, 0, 0]);
        png
    };
    for (file, status) in [
        (&b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"[..], 415),
        (b"%PDF-1.7 and so on", 415),
        (b"\0\0\0\x18ftypmif1 as a phone writes it", 415),
        (&whole[..whole.len() - 5000], 422),
        (&too_wide, 422),
        (&small, 422),
    ] {
        let reply = portal.upload(&cookie, id, "left", file);
        assert_eq!(reply.status, status, "{}: {}", file.len(), reply.text());
    }
    for count in ["uploads", "upload_chunks", "media", "media_chunks"] {
        assert_eq!(portal.place.sql::<i64>(&format!("select count(*) from {count}")), 0, "{count}");
    }
    for (slot, length, status) in
        [("left", 25_000_001, 413), ("left", 0, 422), ("../", 10, 422), ("", 10, 422), ("front", 10, 422)]
    {
        assert_eq!(portal.begin(&cookie, id, slot, length).status, status, "{slot} {length}");
    }
    // A length that lies, a chunk that is too large, another type, another version of the protocol.
    let upload = portal.begun(&cookie, id, "left", 100);
    assert_eq!(portal.append(&cookie, &upload, 0, &[0; 101]).status, 400);
    let too_large = format!(
        "PATCH {upload} HTTP/1.1\r\nhost: {}\r\ncookie: {cookie}\r\ncontent-type: application/offset+octet-stream\r\n\
         upload-offset: 0\r\ncontent-length: {}\r\n\r\n",
        portal.server.address,
        CHUNK + 1
    );
    assert!(portal.server.raw(too_large.as_bytes()).starts_with("HTTP/1.1 413 "));
    let headers = [("cookie", cookie.as_str()), ("upload-offset", "0"), ("content-type", "image/jpeg")];
    assert_eq!(portal.server.send("PATCH", &upload, &headers, "x").status, 415);
    let headers = [("cookie", cookie.as_str()), ("tus-resumable", "0.2.2")];
    for method in ["PATCH", "DELETE"] {
        let reply = portal.server.send(method, &upload, &headers, "x");
        let versions = (reply.header("tus-version"), reply.header("tus-resumable"));
        assert_eq!((reply.status, versions), (412, ("1.0.0", "1.0.0")), "{method}");
    }
    let options = portal.server.send("OPTIONS", "/api/artist/uploads", &[], "");
    assert_eq!((options.status, options.header("tus-version")), (204, "1.0.0"));
    assert_eq!(options.header("tus-extension"), "creation,expiration,termination");
    assert_eq!(options.header("tus-max-size"), "100000000");
    let shown = portal.server.send("HEAD", &upload, &[("cookie", &cookie)], "");
    let sent = upload_metadata(id, "left");
    let (kept, _) = sent.split_once(",filename").expect("the file's name, which may be a person's");
    assert_eq!(shown.header("upload-metadata"), kept);
    assert_eq!(portal.offset(&cookie, &upload), 0);
    assert_eq!(portal.server.send("DELETE", &upload, &[("cookie", &cookie)], "").status, 204);
    assert_eq!(portal.append(&cookie, &upload, 0, &[0; 10]).status, 404);
}

#[test]
fn what_is_anothers_is_not_there_and_what_expired_is_gone() {
    let (portal, ada, id) = portal();
    portal.enter("bea@example.com");
    let bea = portal.sign_in("bea@example.com");
    assert_eq!(portal.upload(&ada, id, "left", &photo(700, 500)).status, 204);
    let upload = portal.begun(&ada, id, "right", 100);
    assert_eq!(portal.begin(&bea, id, "left", 100).status, 404);
    assert_eq!(portal.append(&bea, &upload, 0, &[0; 10]).status, 404);
    for path in [format!("nominations/{id}"), "media/1".into(), "media/2".into()] {
        assert_eq!(portal.send("GET", &path, &bea, &Value::Null).status, 404, "{path}");
        assert_eq!(portal.send("GET", &path, "", &Value::Null).status, 401, "{path}");
    }
    assert_eq!(portal.send("DELETE", "media/1", &bea, &Value::Null).status, 404);
    portal.place.execute("update uploads set expires_at = '2026-01-01T00:00:00.000Z'");
    assert_eq!(portal.append(&ada, &upload, 0, &[0; 10]).status, 410);
    assert_eq!(portal.send("DELETE", "media/1", &ada, &Value::Null).status, 204);
    assert_eq!(portal.place.sql::<i64>("select count(*) from media_chunks"), 0);
}

#[test]
fn a_disk_that_is_full_during_an_upload_loses_nothing_and_the_upload_goes_on_once_there_is_space() {
    let portal = Portal::with("[backup]\nevery_hours = 0\n");
    portal.enter("ada@example.com");
    let cookie = portal.sign_in("ada@example.com");
    let id = portal.nomination(&cookie)["id"].as_i64().expect("an id");
    let file = photo(1300, 1000);
    let upload = portal.begun(&cookie, id, "left", file.len());
    let chunks: Vec<&[u8]> = file.chunks(CHUNK).collect();
    assert!(chunks.len() > 2);
    for (number, chunk) in chunks.iter().enumerate() {
        // Nothing can be written past a file's first bytes, which looks like a full disk.
        limit_files(&portal.server, "100");
        let refused = portal.append(&cookie, &upload, number * CHUNK, chunk);
        assert_eq!(
            (refused.status, refused.header("retry-after")),
            (503, "5"),
            "{number}: {}",
            refused.text()
        );
        assert_eq!(portal.offset(&cookie, &upload), number * CHUNK, "nothing of chunk {number} is stored");
        limit_files(&portal.server, "unlimited");
        let reply = portal.append(&cookie, &upload, number * CHUNK, chunk);
        assert_eq!(reply.status, 204, "{number}: {}", reply.text());
    }
    let stored = "select (select count(*) from media) || ' ' || (select count(*) from upload_chunks)";
    assert_eq!(portal.place.sql::<String>(stored), "1 0");
    assert_eq!(damaged(&portal), "");
}

#[test]
fn two_devices_in_one_slot_leave_one_photo() {
    let (portal, cookie, id) = portal();
    let files = [photo(700, 500), photo(800, 500)];
    let uploads = files.each_ref().map(|file| portal.begun(&cookie, id, "left", file.len()));
    for (upload, file) in uploads.iter().zip(&files) {
        for (number, chunk) in file.chunks(CHUNK).enumerate() {
            assert_eq!(portal.append(&cookie, upload, number * CHUNK, chunk).status, 204);
        }
    }
    assert_eq!(portal.place.sql::<String>("select group_concat(width) from media"), "800");
    assert_eq!(portal.place.sql::<i64>("select count(distinct media_id) from media_chunks"), 1);
}

#[test]
fn after_the_deadline_only_what_had_begun_may_be_finished_for_half_an_hour() {
    let (portal, cookie, id) = portal();
    let file = photo(700, 500);
    let begun = portal.begun(&cookie, id, "left", file.len());
    let extend = |minutes: i64| {
        let sql = format!(
            "update nominations set extended_until = '{}'",
            showcase::time::stored(clock::now() + chrono::TimeDelta::minutes(minutes))
        );
        portal.place.execute(&sql);
    };
    let older = format!("update uploads set created_at = '{}'", clock::stored_before(1));
    portal.place.execute(&older);
    extend(-31);
    assert_eq!(portal.append(&cookie, &begun, 0, &file[..10]).status, 423);
    assert_eq!(portal.begin(&cookie, id, "left", 100).status, 423);
    extend(-29);
    assert_eq!(portal.begin(&cookie, id, "left", 100).status, 423);
    wait_for("the finished upload", || {
        let offset = portal.offset(&cookie, &begun);
        let chunk = &file[offset..file.len().min(offset + CHUNK)];
        assert_eq!(portal.append(&cookie, &begun, offset, chunk).status, 204);
        (offset + chunk.len() == file.len()).then_some(())
    });
    assert_eq!(portal.send("DELETE", "media/1", &cookie, &Value::Null).status, 423);
}
