-- The organiser who confirmed a release from the photo of a paper; null: the model signed it on a phone.
alter table releases add column confirmed_by text;
