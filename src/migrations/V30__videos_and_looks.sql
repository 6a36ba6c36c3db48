-- A medium is a photo, or a video if the content allows one. The thumbnail of a video is a drawing.
alter table media add column kind text not null default 'photo' check (kind in ('photo', 'video'));

-- What a photo looks like, in 64 bits: two photos that differ in a few bits show the same. Photos that were handed in
-- before this version get theirs in the background.
alter table media add column look integer;
