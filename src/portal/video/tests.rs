use super::*;

#[path = "../../../tests/suite/portal/sample_video.rs"]
mod sample_video;

use sample_video::{SAMPLE, Sample, mp4_box, picture, sound};

fn read_all(file: &[u8]) -> Result<Video> {
    read(file.len() as u64, |start, length| Ok(file[start as usize..][..length].to_vec()))
}

/// What is kept of a file that is cleaned in parts of this length.
fn cleaned(file: &[u8], length: usize) -> Vec<u8> {
    let video = read_all(file).unwrap_or_else(|error| panic!("{error}"));
    let mut file = file.to_vec();
    for (number, part) in file.chunks_mut(length).enumerate() {
        video.clean((number * length) as u64, part);
    }
    file
}

fn reason(file: &[u8]) -> String {
    match read_all(file).expect_err("refused") {
        Error::Unsupported(_) => "not a video".into(),
        Error::Invalid(errors) => errors["slot"].clone(),
        other => panic!("{other:?}"),
    }
}

fn contains(file: &[u8], part: &[u8]) -> bool {
    file.windows(part.len()).any(|window| window == part)
}

/// The kinds of all boxes that are not empty, with the path to each.
fn boxes_of(file: &[u8], within: Range<usize>, path: &str, found: &mut Vec<String>) {
    for inner in children(file, within).expect("boxes") {
        let kind = String::from_utf8_lossy(&inner.kind).into_owned();
        if file[inner.content.clone()].iter().all(|byte| *byte == 0) {
            continue;
        }
        let path = format!("{path}/{kind}");
        if ["moov", "trak", "edts", "mdia", "minf", "dinf", "stbl"].contains(&kind.as_str()) {
            boxes_of(file, inner.content, &path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn pictures_stay_where_they_are_and_nothing_else_does_not_even_the_sound() {
    for sample in [SAMPLE, Sample { brand: b"qt  ", starts_fast: true, is_turned: false, ..SAMPLE }] {
        let file = sample.file();
        assert!(String::from_utf8_lossy(&file).matches("anary").count() >= 30);
        let kept = cleaned(&file, 1000);
        assert_eq!(kept.len(), file.len());
        for length in [1, 7, 4096, file.len()] {
            assert_eq!(cleaned(&file, length), kept, "in parts of {length}");
        }
        let text = String::from_utf8_lossy(&kept).to_lowercase();
        for canary in ["cana", "ada", "can!", "apple", "appl", "xmp", "-074", "handler"] {
            assert!(!text.contains(canary), "{canary}");
        }
        // The time of creation, in seconds since 1904.
        assert!(contains(&file, &3_800_000_000_u32.to_be_bytes()));
        assert!(
            !contains(&kept, &3_800_000_000_u32.to_be_bytes())
                && !contains(&kept, &3_800_000_001_u32.to_be_bytes())
        );
        for number in 0..sample.seconds {
            let picture = picture(number, sample.picture_bytes);
            let at = file.windows(picture.len()).position(|window| window == picture).expect("a picture");
            assert_eq!(&kept[at..at + picture.len()], picture, "picture {number}");
            assert_eq!(&file[at + picture.len()..][..40], sound(number));
            assert_eq!(&kept[at + picture.len()..][..40], [0; 40], "sound {number}");
        }
        let mut found = Vec::new();
        boxes_of(&kept, 0..kept.len(), "", &mut found);
        found.retain(|path| path.starts_with("/moov"));
        let track = ["tkhd", "edts/elst", "mdia/mdhd", "mdia/hdlr", "mdia/minf/hdlr", "mdia/minf/dinf/dref"];
        let tables = ["stsd", "stts", "stsc", "stsz", "stco"].map(|table| format!("mdia/minf/stbl/{table}"));
        let track: Vec<String> = track.iter().map(|path| (*path).to_owned()).chain(tables).collect();
        let one = track.iter().map(|path| format!("/moov/trak/{path}"));
        let expected: Vec<String> = std::iter::once("/moov/mvhd".to_owned()).chain(one).collect();
        assert_eq!(found, expected, "one track; the second one had sound, the third one places");
        let video = read_all(&file).expect("a video");
        let expected = if sample.is_turned { (1080, 1920) } else { (1920, 1080) };
        assert_eq!((video.width, video.height), expected);
        assert_eq!(cleaned(&kept, 500), kept, "what was cleaned is clean");
    }
}

#[test]
fn a_file_that_was_cleaned_up_to_any_byte_can_be_cleaned_again() {
    for sample in [SAMPLE, Sample { brand: b"qt  ", starts_fast: true, ..SAMPLE }] {
        let file = sample.file();
        let clean = cleaned(&file, file.len());
        for until in 0..=file.len() {
            let partly = [&clean[..until], &file[until..]].concat();
            assert!(cleaned(&partly, partly.len()) == clean, "up to byte {until}");
        }
    }
}

#[test]
fn what_is_no_video_is_too_long_or_damaged_is_refused() {
    let file = SAMPLE.file();
    let with = |kind: &[u8], content: &[u8]| {
        [&file, mp4_box(kind.try_into().expect("four"), content).as_slice()].concat()
    };
    // With other bytes at a place in the first box of a kind.
    let patched = |kind: &[u8], place: usize, bytes: &[u8]| {
        let mut file = file.clone();
        let at = file.windows(kind.len()).position(|window| window == kind).expect("a box") - 4 + place;
        file[at..at + bytes.len()].copy_from_slice(bytes);
        file
    };
    let long = Sample { seconds: 180, claimed_seconds: 180, ..SAMPLE };
    for (file, expected) in [
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic".to_vec(), "not a video"),
        (Sample { brand: b"avif", ..SAMPLE }.file(), "not a video"),
        (b"RIFF\0\0\0\0AVI LIST".to_vec(), "not a video"),
        (b"\x1aE\xdf\xa3 WebM".to_vec(), "not a video"),
        (Vec::from(b"MZ"), "not a video"),
        (long.file(), "3:00 minutes long"),
        (Sample { claimed_seconds: 10, ..long }.file(), "3:00 minutes long"),
        (Sample { claimed_seconds: 180, ..SAMPLE }.file(), "3:00 minutes long"),
        (file[..file.len() / 2].to_vec(), "damaged"),
        (file[..file.len() - 3].to_vec(), "damaged"),
        (mp4_box(b"ftyp", b"mp42\0\0\0\0mp42"), "incomplete"),
        (with(b"moof", b"more"), "fragmented"),
        (with(b"moov", b""), "damaged"),
        (Sample { codec: b"apch", ..SAMPLE }.file(), "H.264"),
        // Lengths that lie: of a box at the top, of one in the index, of a table, of the samples.
        (patched(b"mdat", 0, &u32::MAX.to_be_bytes()), "damaged"),
        (patched(b"trak", 0, &u32::MAX.to_be_bytes()), "damaged"),
        (patched(b"stco", 12, &u32::MAX.to_be_bytes()), "damaged"),
        (patched(b"stsz", 12, &u32::MAX.to_be_bytes()), "damaged"),
        (patched(b"stsc", 12, &[0; 4]), "damaged"),
        // A sample where the file's type is.
        (patched(b"stco", 16, &8_u32.to_be_bytes()), "damaged"),
        (patched(b"mvhd", 20, &[0; 4]), "damaged"),
        // A unit that is longer than its picture, and settings that say nothing of units.
        (patched(b"mdat", 8 + 27, &[0, 1, 0, 0]), "damaged"),
        (patched(b"avcC", 4, b"free"), "damaged"),
        // The data are in another file.
        (patched(b"url ", 8, &[0; 4]), "damaged"),
    ] {
        assert!(reason(&file).contains(expected), "{expected}: {}", reason(&file));
    }
    assert!(read_all(&patched(b"mdat", 0, &[])).is_ok());
    // A phone stops a little after two minutes.
    assert!(read_all(&Sample { seconds: 120, claimed_seconds: 120, ..SAMPLE }.file()).is_ok());
    // Containers in containers.
    let nested = (0..10_000).fold(Vec::new(), |inner, _| mp4_box(b"minf", &inner));
    let nested = mp4_box(b"moov", &mp4_box(b"trak", &nested));
    assert!(reason(&[mp4_box(b"ftyp", b"mp42\0\0\0\0mp42"), nested].concat()).contains("damaged"));
}

#[test]
fn random_changes_end_in_a_refusal_or_a_clean_video_and_never_in_a_panic() {
    let file = SAMPLE.file();
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut taken = 0;
    for _ in 0..20_000 {
        let mut changed = file.clone();
        for _ in 0..=random(3) {
            let at = random(changed.len());
            changed[at] = [0, 1, 8, 0x7f, 0xff][random(5)];
        }
        if let Ok(video) = read_all(&changed) {
            taken += 1;
            video.clean(0, &mut changed);
        }
    }
    assert!(taken > 1_000, "{taken}");
}

/// A file of `tests/videos`.
fn encoded(name: &str) -> Vec<u8> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/videos");
    std::fs::read(folder.join(name)).expect("a file")
}

#[test]
fn what_real_encoders_write_keeps_its_pictures_and_no_text() {
    for (name, dimensions, canaries) in [
        ("phone.mov", (64, 96), 8),
        ("start.mp4", (96, 64), 5),
        ("hevc.mp4", (96, 64), 4),
        ("ten-bits.mov", (96, 64), 4),
        ("camera.mov", (96, 64), 4),
        ("camera.mp4", (96, 64), 3),
    ] {
        let file = encoded(name);
        assert!(String::from_utf8_lossy(&file).matches("canary").count() >= canaries, "{name}");
        let video = read_all(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((video.width, video.height), dimensions, "{name}");
        let kept = cleaned(&file, 1000);
        assert!(cleaned(&file, 7) == kept && cleaned(&kept, 4096) == kept, "{name}");
        let text = String::from_utf8_lossy(&kept).to_lowercase();
        for canary in ["canary", "x264", "x265", "lavf", "videolan", "apple", "40.68"] {
            assert!(!text.contains(canary), "{name}: {canary}");
        }
        // The samples stay but for the texts among the pictures. HEVC's are in its settings.
        let changed = video.kept.iter().flat_map(|range| range.start as usize..range.end as usize);
        let changed = changed.filter(|at| file[*at] != kept[*at]).count();
        assert!(changed < 2_000, "{name}: {changed} bytes");
    }
    assert!(reason(&encoded("fragmented.mp4")).contains("fragmented"));
    assert!(reason(&encoded("old.mp4")).contains("H.264"));
}
