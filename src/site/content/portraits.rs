//! The places for faces and work that have no picture yet.

use super::Content;

impl Content {
    /// The keys of the pictures of people, of their work and of the ceremony that are empty, and of the quotation. Visitors
    /// see a drawing there, or nothing. Somebody who is still to be announced needs no picture.
    pub fn empty_picture_places(&self) -> Vec<String> {
        let mut missing = Vec::new();
        for (group_index, group) in self.people.groups.iter().enumerate() {
            for (index, profile) in group.profiles.iter().enumerate() {
                if profile.image.is_empty() && !profile.coming_soon {
                    missing.push(format!("people.groups[{group_index}].profiles[{index}].image"));
                }
            }
        }
        for (index, person) in self.about.organisers.iter().enumerate() {
            if person.image.is_empty() {
                missing.push(format!("about.organisers[{index}].image"));
            }
        }
        for (index, card) in self.competition.cards.iter().enumerate() {
            if card.image.is_empty() {
                missing.push(format!("competition.cards[{index}].image"));
            }
        }
        if self.home.recognition.image.is_empty() {
            missing.push("home.recognition.image".to_owned());
        }
        if self.home.quote.is_none() {
            missing.push("home.quote".to_owned());
        }
        missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_empty_place_for_a_face_is_named_until_it_is_filled() {
        let toml = Content::default_toml();
        let missing = Content::parse(toml).expect("the default content").empty_picture_places();
        for key in
            ["people.groups[0].profiles[0].image", "about.organisers[0].image", "competition.cards[7].image"]
        {
            assert!(missing.iter().any(|listed| listed == key), "{key} is not among {missing:?}");
        }
        assert!(
            missing.ends_with(&["home.recognition.image".to_owned(), "home.quote".to_owned()]),
            "{missing:?}"
        );

        let mut content = Content::parse(toml).expect("the default content");
        content.home.recognition.image = "ceremony".to_owned();
        let fewer = content.empty_picture_places();
        assert_eq!(fewer.len(), missing.len() - 1);
        assert!(!fewer.contains(&"home.recognition.image".to_owned()));
        // The second judge is still to be announced.
        let judges = content
            .people
            .groups
            .iter()
            .position(|group| group.profiles.iter().any(|profile| profile.coming_soon));
        let judges = judges.expect("a group with an open place");
        let open = content.people.groups[judges].profiles.iter().position(|profile| profile.coming_soon);
        assert!(
            !missing.contains(&format!("people.groups[{judges}].profiles[{}].image", open.expect("one")))
        );
    }
}
