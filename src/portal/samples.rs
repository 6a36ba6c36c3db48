//! Drawn photos and what was done with them, for the demo.

use std::collections::BTreeMap;
use std::f32::consts::PI;

use image::codecs::jpeg::JpegEncoder;
use image::{Rgb, RgbImage};

use super::access::Artist;
use super::organiser::{self, Decision};
use super::releases::{self, ReleaseForm};
use super::{own, uploads};
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::{Actor, Expected, RELEASE_SLOT};
use crate::site::content::model::portal::VIDEO_KEY;

/// Small, since the demo makes some sixty photos before it answers, with code that `release` hardly optimizes.
const WIDTH: u32 = 640;
const HEIGHT: u32 = 480;

/// How far the competitor has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sample {
    /// Everything is handed in.
    Complete,
    /// The first photo was asked for again.
    Returned,
    /// One photo is missing.
    MissingOne,
    /// Everything is handed in, and the model signed on paper, which waits for the organiser.
    OnPaper,
    /// The organiser has found it fit for the judges.
    Ready,
}

/// Fills the first nomination of an address.
///
/// # Errors
/// Those of the database; an address without a nomination is left as it is.
pub fn fill(app: &App, email: &str, sample: Sample) -> Result<()> {
    let artist = Artist { email: email.to_owned() };
    let Some(nomination) = own::list(app, &artist)?.into_iter().next() else { return Ok(()) };
    let id = nomination.nomination.id;
    let slots: Vec<&str> = nomination.slots.iter().map(|slot| slot.slot.key.as_str()).collect();
    let last_required = nomination.slots.iter().rposition(|slot| slot.slot.required);
    for (index, slot) in slots.iter().enumerate() {
        let is_left_empty = sample == Sample::Ready && !nomination.slots[index].slot.required;
        if *slot != VIDEO_KEY
            && !is_left_empty
            && (sample != Sample::MissingOne || Some(index) != last_required)
        {
            uploads::put(app, id, slot, &drawing(slot, id)?)?;
        }
    }
    let signed = ReleaseForm {
        name: "Mia Model".into(),
        adult: true,
        signature: "Mia Model".into(),
        accepted: true,
        version: app.content().portal.release.version.clone(),
        ..ReleaseForm::default()
    };
    if sample == Sample::OnPaper {
        uploads::put(app, id, RELEASE_SLOT, &paper()?)?;
    } else {
        releases::sign(app, &nomination.release.key, signed)?;
    }
    if sample == Sample::MissingOne {
        return Ok(());
    }
    let ticks: BTreeMap<String, bool> =
        nomination.ticks.iter().map(|tick| (tick.key.clone(), true)).collect();
    own::hand_in(app, &artist, id, ticks)?;
    if sample == Sample::Ready {
        organiser::decide(app, &Actor::Demo, id, Decision::MarkReady, &Expected::Any)?;
    }
    if let (Sample::Returned, Some(slot)) = (sample, slots.first()) {
        let decision = Decision::Return {
            slots: vec![(*slot).to_owned()],
            reason: "The photo is out of focus. Please take it again in daylight.".into(),
            until: None,
        };
        organiser::decide(app, &Actor::Demo, id, decision, &Expected::Any)?;
    }
    Ok(())
}

/// A JPEG of two drawn eyes; the slot's key says from where, and whether they are closed. Each person has
/// another skin, and takes photos in another light and from another distance.
pub(super) fn drawing(slot: &str, person: i64) -> Result<Vec<u8>> {
    let skin = |shade: f32| {
        let dark = (person % 5) as f32 * 12.0;
        Rgb([(236.0 - dark - shade) as u8, (205.0 - dark - shade) as u8, (184.0 - dark - shade) as u8])
    };
    let light = (person * 3 % 8) as f32 / 8.0 - 0.44;
    let mut picture = RgbImage::from_fn(WIDTH, HEIGHT, |x, y| {
        let (dx, dy) = (x as f32 / WIDTH as f32 - 0.5 - light, y as f32 / HEIGHT as f32 - 0.5);
        skin(60.0 * (dx * dx + dy * dy))
    });
    let distance = 0.8 + (person * 3 % 5) as f32 * 0.1;
    let zoom = if slot.contains("close_up") { 1.7 * distance } else { distance };
    let (aside, above) = ((person * 5 % 11 - 5) as f32 * 9.0, (person * 4 % 9 - 4) as f32 * 25.0);
    let turn = match slot {
        slot if slot.contains("left") => -80.0,
        slot if slot.contains("right") => 80.0,
        _ => 0.0,
    };
    for side in [-1.0, 1.0] {
        let center = (WIDTH as f32 / 2.0 + turn + aside + side * 142.0 * zoom, HEIGHT as f32 / 2.0 + above);
        eye(&mut picture, center, 92.0 * zoom, slot.contains("closed"));
    }
    jpeg(&picture)
}

/// A JPEG of a sheet of paper with lines of text and a signature.
fn paper() -> Result<Vec<u8>> {
    let mut picture = RgbImage::from_pixel(HEIGHT, WIDTH, Rgb([146, 116, 92]));
    for y in 28..WIDTH - 28 {
        for x in 32..HEIGHT - 32 {
            let is_line =
                (78..456).contains(&y) && y % 24 < 4 && (68..HEIGHT - 68 - y / 24 * 37 % 64).contains(&x);
            picture.put_pixel(x, y, if is_line { Rgb([172, 168, 162]) } else { Rgb([250, 248, 244]) });
        }
    }
    for step in 0..900 {
        let along = step as f32 / 900.0;
        let height = (along * 38.0).sin() * 24.0 * (1.0 - along) + (along * 9.0).cos() * 9.0;
        dot(&mut picture, 92.0 + along * 213.0, 533.0 + height, 1, Rgb([38, 42, 92]));
    }
    jpeg(&picture)
}

fn jpeg(picture: &RgbImage) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let encoded = JpegEncoder::new_with_quality(&mut bytes, 88).encode_image(picture);
    encoded.map_err(|error| Error::Internal(format!("a drawn photo: {error}")))?;
    Ok(bytes)
}

/// An eye with its lashes; `half` is half of its width.
fn eye(picture: &mut RgbImage, (x, y): (f32, f32), half: f32, is_closed: bool) {
    const INK: Rgb<u8> = Rgb([44, 27, 33]);
    // The lids meet in the corners.
    let lid = |across: f32| half * 0.42 * (1.0 - across * across);
    let steps = (half * 2.0) as i32;
    for step in 0..=steps {
        let across = step as f32 / half - 1.0;
        let height = lid(across);
        if !is_closed {
            for offset in (-height as i32)..=(height as i32) {
                let from_center = (across * half).hypot(offset as f32) / half;
                let color = match from_center {
                    near if near < 0.13 => INK,
                    near if near < 0.33 => Rgb([112, 84, 61]),
                    _ => Rgb([250, 246, 242]),
                };
                dot(picture, x + across * half, y + offset as f32, 1, color);
            }
        }
        let top = if is_closed { y + height } else { y - height };
        dot(picture, x + across * half, top, 2, INK);
    }
    for lash in 0..26 {
        let across = lash as f32 / 12.5 - 1.0;
        let height = lid(across);
        let (root, direction) = if is_closed { (y + height, 1.0) } else { (y - height, -1.0) };
        let angle = PI / 2.0 - across * 0.9;
        for step in 0..(half * 0.42) as i32 {
            let along = step as f32;
            let bend = along * along / (half * 2.2);
            let at = (
                x + across * half + angle.cos() * along + across * bend,
                root + direction * angle.sin() * along,
            );
            dot(picture, at.0, at.1, if along < half * 0.2 { 1 } else { 0 }, INK);
        }
    }
}

fn dot(picture: &mut RgbImage, x: f32, y: f32, radius: i32, color: Rgb<u8>) {
    for dx in -radius..=radius {
        for dy in -radius..=radius {
            let (x, y) = (x as i32 + dx, y as i32 + dy);
            if let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y))
                && x < picture.width()
                && y < picture.height()
            {
                picture.put_pixel(x, y, color);
            }
        }
    }
}
