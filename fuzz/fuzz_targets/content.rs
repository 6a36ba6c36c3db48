//! Arbitrary bytes as a content file: it is refused with sentences that name a place, or accepted; never a panic. The
//! first byte says how much of the built-in file stands before the bytes, so that the deeper checks are reached.

#![no_main]

use libfuzzer_sys::fuzz_target;
use showcase::site::content::Content;

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let lines: Vec<&str> = Content::default_toml().lines().collect();
    let kept = lines.len() * usize::from(*first) / 255;
    let file = format!("{}\n{text}\n{}", lines[..kept].join("\n"), lines[kept..].join("\n"));
    if let Err(problems) = Content::parse(&file) {
        assert!(!problems.is_empty() && problems.iter().all(|problem| !problem.to_string().is_empty()));
    }
});
