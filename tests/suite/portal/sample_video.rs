//! Builds small MP4 and MOV files as phones write them, with a canary in every place for texts. The unit tests of
//! `src/portal/video.rs` use this file, too.

/// A box (ISO/IEC 14496-12, 4.2).
pub fn mp4_box(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    [&(content.len() as u32 + 8).to_be_bytes(), kind.as_slice(), content].concat()
}

/// What a file is like.
#[derive(Clone, Copy)]
pub struct Sample {
    pub brand: &'static [u8; 4],
    pub seconds: u32,
    /// How long the header says it is.
    pub claimed_seconds: u32,
    /// Of each of the pictures, one a second.
    pub picture_bytes: u32,
    /// Turned by a quarter, as a phone that is held upright does.
    pub is_turned: bool,
    pub codec: &'static [u8; 4],
    /// The index before the pictures.
    pub starts_fast: bool,
}

pub const SAMPLE: Sample = Sample {
    brand: b"mp42",
    seconds: 6,
    claimed_seconds: 6,
    picture_bytes: 300,
    is_turned: true,
    codec: b"avc1",
    starts_fast: false,
};

/// What stands for a coded picture, by its number: a unit of H.264, whose length comes first. None of its bytes is a letter.
pub fn picture(number: u32, length: u32) -> Vec<u8> {
    let mut state = number;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        128 + (state >> 25) as u8
    };
    let mut unit = (length - 4).to_be_bytes().to_vec();
    unit.push(5);
    unit.extend((5..length).map(|_| next()));
    unit
}

/// What stands for the sound of a second.
pub fn sound(number: u32) -> Vec<u8> {
    vec![200 + (number % 50) as u8; 40]
}

impl Sample {
    /// The file.
    pub fn file(self) -> Vec<u8> {
        let kind = [self.brand.as_slice(), b"\0\0\x02\0", self.brand, b"isom", b"Can!"].concat();
        let kind = mp4_box(b"ftyp", &kind);
        let note = mp4_box(b"uuid", b"canary-xmp-uuid <x:xmpmeta>Ada Canary</x:xmpmeta>");
        let mut data = b"canary between the samples ".to_vec();
        // Relative to the content of `mdat`.
        let (mut pictures, mut sounds, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..self.seconds {
            pictures.push(data.len() as u32);
            data.extend(picture(number, self.picture_bytes));
            sounds.push(data.len() as u32);
            data.extend(sound(number));
            places.push(data.len() as u32);
            data.extend(b"canary+40.6892-074.0445/");
        }
        data.extend(b"canary at the end");
        let index = |start: u32| {
            let shift = |offsets: &[u32]| offsets.iter().map(|offset| offset + start).collect::<Vec<_>>();
            self.index(&shift(&pictures), &shift(&sounds), &shift(&places))
        };
        let data_box = mp4_box(b"mdat", &data);
        let before = (kind.len() + note.len() + 8) as u32;
        let trailer = mp4_box(b"free", b"canary trailer");
        if self.starts_fast {
            let index_length = index(0).len() as u32;
            [kind, note, index(before + index_length), data_box, trailer].concat()
        } else {
            [kind, note, data_box, index(before), trailer].concat()
        }
    }

    fn index(self, pictures: &[u32], sounds: &[u32], places: &[u32]) -> Vec<u8> {
        let numbers =
            |numbers: &[u32]| numbers.iter().flat_map(|number| number.to_be_bytes()).collect::<Vec<_>>();
        let mut head =
            numbers(&[0, 3_800_000_000, 3_800_000_001, 1000, self.claimed_seconds * 1000, 0x0001_0000]);
        head.extend([0; 76]);
        let name = mp4_box(b"\xa9nam", b"canary title");
        let place = mp4_box(b"\xa9xyz", b"canary+40.6892-074.0445/");
        let user = mp4_box(b"udta", &[name, place, vec![0; 4]].concat());
        let meta = mp4_box(b"meta", b"com.apple.quicktime.make canary iPhone of Ada");
        let tracks = [
            self.track(b"vide", &self.picture_description(), pictures, self.picture_bytes),
            self.track(b"soun", &sound_description(), sounds, 40),
            self.track(b"meta", &mp4_box(b"mebx", b"canary key"), places, 24),
        ];
        mp4_box(b"moov", &[mp4_box(b"mvhd", &head), tracks.concat(), user, meta].concat())
    }

    fn track(self, handler: &[u8; 4], description: &[u8], offsets: &[u32], bytes: u32) -> Vec<u8> {
        let numbers =
            |numbers: &[u32]| numbers.iter().flat_map(|number| number.to_be_bytes()).collect::<Vec<_>>();
        let mut head =
            numbers(&[7, 3_800_000_000, 3_800_000_001, 1, 0, self.claimed_seconds * 1000, 0, 0, 0, 0]);
        let turned = [0, 0x0001_0000, 0, 0xffff_0000, 0, 0, 0, 0, 0x4000_0000];
        let upright = [0x0001_0000, 0, 0, 0, 0x0001_0000, 0, 0, 0, 0x4000_0000];
        head.extend(numbers(if self.is_turned { &turned } else { &upright }));
        head.extend(numbers(&[1920 << 16, 1080 << 16]));
        let edit = mp4_box(b"elst", &numbers(&[0, 1, self.claimed_seconds * 1000, 0, 0x0001_0000]));
        let media = numbers(&[0, 3_800_000_000, 3_800_000_001, 600, self.seconds * 600, 0x55c4_0000]);
        let handled = |kind: &[u8]| {
            let name =
                b"\0\0\0\0mhlr".iter().chain(kind).chain(b"appl\0\0\0\0\0\0\0\0canary handler of Ada\0");
            mp4_box(b"hdlr", &name.copied().collect::<Vec<_>>())
        };
        let reference = mp4_box(b"url ", &[&[0, 0, 0, 1], b"canary/ada.mov".as_slice()].concat());
        let references = mp4_box(b"dref", &[&[0, 0, 0, 0, 0, 0, 0, 1], reference.as_slice()].concat());
        let table = mp4_box(
            b"stbl",
            &[
                mp4_box(b"stsd", &[&[0, 0, 0, 0, 0, 0, 0, 1], description].concat()),
                mp4_box(b"stts", &[numbers(&[0, 1, self.seconds, 600]), b"canary".to_vec()].concat()),
                mp4_box(b"stsc", &numbers(&[0, 1, 1, 1, 1])),
                mp4_box(b"stsz", &numbers(&[0, bytes, self.seconds])),
                mp4_box(b"stco", &[numbers(&[0, self.seconds]), numbers(offsets)].concat()),
                mp4_box(b"cana", b"canary in a box of its own"),
            ]
            .concat(),
        );
        let media_head = mp4_box(b"vmhd", &[0; 12]);
        let inner = [media_head, handled(b"alis"), mp4_box(b"dinf", &references), table].concat();
        let media = [mp4_box(b"mdhd", &media), handled(handler), mp4_box(b"minf", &inner)].concat();
        let user = mp4_box(b"udta", &mp4_box(b"name", b"canary track name"));
        let parts = [mp4_box(b"tkhd", &head), mp4_box(b"edts", &edit), mp4_box(b"mdia", &media), user];
        mp4_box(b"trak", &parts.concat())
    }

    fn picture_description(self) -> Vec<u8> {
        let mut content = vec![0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0];
        content.extend(b"Cana\0\0\0\0\0\0\0\0");
        content.extend([1920_u16.to_be_bytes(), 1080_u16.to_be_bytes()].concat());
        content.extend([0, 72, 0, 0, 0, 72, 0, 0, 0, 0, 0, 0, 0, 1]);
        let mut name = b"\x0ccanary coder".to_vec();
        name.resize(32, 0);
        content.extend(name);
        content.extend([0, 24, 0xff, 0xff]);
        content.extend(mp4_box(b"avcC", &[1, 100, 0, 31, 255, 225, 0, 2, 103, 100, 1, 0, 1, 104]));
        content.extend(mp4_box(b"colr", b"profcanary profile"));
        content.extend(mp4_box(b"colr", b"nclc\0\x01\0\x01\0\x01"));
        mp4_box(self.codec, &content)
    }
}

/// Version 1 of QuickTime, with its settings wrapped.
fn sound_description() -> Vec<u8> {
    let mut content = vec![0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0];
    content.extend(b"Cana");
    content.extend([0, 2, 0, 16, 0xff, 0xfe, 0, 0, 0xac, 0x44, 0, 0]);
    content.extend([0; 16]);
    let wrapped = [
        mp4_box(b"frma", b"mp4a"),
        mp4_box(b"esds", &[0, 0, 0, 0, 3, 1, 2]),
        mp4_box(b"name", b"canary sound"),
        vec![0, 0, 0, 8, 0, 0, 0, 0],
    ];
    content.extend(mp4_box(b"wave", &wrapped.concat()));
    mp4_box(b"mp4a", &content)
}
