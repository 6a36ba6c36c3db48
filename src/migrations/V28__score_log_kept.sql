-- Why a judge kept or changed the points at a second look. The log has the SHA-256 of it.
alter table sheets add column second_look_reason text;
-- The hash of the sheet's newest line of the log, by which a log is found whose last lines are missing.
alter table sheets add column log_hash text;
update sheets set log_hash = (
    select hash from score_log join nominations on nominations.code = score_log.code
    where score_log.judge_id = sheets.judge_id and nominations.id = sheets.nomination_id order by score_log.id desc limit 1);
