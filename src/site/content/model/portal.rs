//! The Artist Portal: whether it is open, until when, and what competitors hand in.

use std::sync::LazyLock;

use crate::model::RELEASE_SLOT;
use crate::site::content::opening::Moment;

tables! {
    /// A content file without `[portal]` has a closed one, which no page and no email names.
    #[derive(Default)]
    pub struct Portal {
        #[serde(default)]
        pub sample: bool,
        #[serde(default)]
        pub open: bool,
        /// In the event's time zone. Needed while the portal is open.
        #[serde(default)]
        pub deadline: Option<Moment>,
        /// Whether a video may be handed in beside the photos: each nomination then has a slot [`VIDEO_KEY`].
        #[serde(default)]
        pub video: bool,
        #[serde(default)]
        pub slots: Vec<Slot>,
        /// What competitors confirm when they hand in.
        #[serde(default)]
        pub ticks: Vec<Tick>,
        #[serde(default)]
        pub release: Release,
    }

    /// A place for one file of a nomination: a photo, the video, or the photo of a release on paper.
    pub struct Slot {
        /// A category's slug.
        pub category: String,
        /// Empty: every subcategory of the category.
        #[serde(default)]
        pub sub_category: String,
        pub key: String,
        pub label: String,
        #[serde(default)]
        pub hint: String,
        #[serde(default = "yes")]
        pub required: bool,
        /// The least number of pixels on the longer side. 0: any.
        #[serde(default)]
        pub min_pixels: u32,
    }

    pub struct Tick {
        pub key: String,
        pub label: String,
    }

    /// What the model signs.
    #[derive(Default)]
    pub struct Release {
        /// A new one for every change of the text.
        pub version: String,
        pub text: String,
    }
}

/// The key of the slot for a video.
pub const VIDEO_KEY: &str = "video";

/// The slot for a photo of a release that the model signed on paper. Each nomination has it, and no judge sees it.
pub static PAPER_RELEASE: LazyLock<Slot> = LazyLock::new(|| {
    let hint = "Did your model sign on paper? Send a photo of the whole sheet with every word readable. \
        The judges do not see it.";
    built_in(RELEASE_SLOT, "Signed paper", hint)
});

static VIDEO_SLOT: LazyLock<Slot> = LazyLock::new(|| {
    let hint = "MP4 or MOV, at most 2 minutes and 100 MB. Its sound is removed: the judges hear nothing.";
    built_in(VIDEO_KEY, "Video", hint)
});

fn built_in(key: &str, label: &str, hint: &str) -> Slot {
    Slot {
        category: String::new(),
        sub_category: String::new(),
        key: key.into(),
        label: label.into(),
        hint: hint.into(),
        required: false,
        min_pixels: 0,
    }
}

fn yes() -> bool {
    true
}

impl Slot {
    pub fn is_video(&self) -> bool {
        self.key == VIDEO_KEY
    }

    fn is_of(&self, category: &str, sub_category: &str) -> bool {
        self.category == category && (self.sub_category.is_empty() || self.sub_category == sub_category)
    }
}

impl Portal {
    /// The slots of a nomination: those of photos in the order of the file, and that of the video if one is allowed.
    /// Without [`PAPER_RELEASE`].
    pub fn slots_of(&self, category: &str, sub_category: &str) -> impl Iterator<Item = &Slot> {
        let photos = self.slots.iter().filter(move |slot| slot.is_of(category, sub_category));
        photos.chain(self.video.then_some(&*VIDEO_SLOT))
    }
}
