import { useCallback, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import type { DoorSnapshot } from "../lib/answer-types";
import { Button } from "../kit/button";
import { Dialog } from "../kit/dialog";
import { TextField } from "../kit/field";
import { Select } from "../kit/select";
import { AnswerScreen, type Answer } from "./answer";
import { CameraView } from "./camera";
import { count, listOfNow, type OwnScan } from "./decide";
import { Device, eventNow, isUndoWaiting, today, type Shown } from "./device";
import { listAge, timeOf } from "./event-time";
import { GuestSearch } from "./guest-search";
import { keepAwake, allowSound, play } from "./phone";
import { parseCode, scansWait, resultNames, toneOf } from "./words";

interface Data {
  timeZone: string;
  name: string;
}

/** In milliseconds. A welcome goes by itself; what needs a decision stays. */
const welcomeFor = 4_000;
/** Whether she types a name or a reason. */
const isNaming = () => document.querySelector(".door-answer-form") !== null;

/** The page on which volunteers let people in. */
export function DoorPage({ data }: { data: Data }) {
  const [device] = useState(() => new Device());
  const shown = useSyncExternalStore(device.subscribe, device.shown, device.shown);
  useEffect(() => device.start(), [device]);
  useEffect(() => keepAwake(), []);
  const { kept, access } = shown;
  return (
    <main id="content" className="door">
      <h1 className="door-title">Door <span className="soft">{data.name}</span></h1>
      {kept && access === "open" ? <Door device={device} shown={shown} list={kept.list} data={data} /> : <Closed shown={shown} />}
    </main>
  );
}

function Closed({ shown: { access, isOnline, waiting, own } }: { shown: Shown }) {
  // A device that was ended sends what it has let in, but takes nothing back any more.
  const undone = access === "opening" ? 0 : own.filter(isUndoWaiting).length;
  return (
    <div className="door-closed" role="status">
      {access === "unknown" && <p>This phone is not a door device yet. Open “Door” on the organizer’s screen, and scan its code with this phone’s camera.</p>}
      {access === "ended" && <p>The organizer has ended this device, or its time is over. To go on, scan a new code on the organizer’s screen with this phone’s camera.</p>}
      {access === "opening" && <p>{isOnline ? "Opening the door\u2026" : "There is no network. Keep this page open: it goes on by itself."}</p>}
      {waiting > undone && <p>{scansWait(waiting - undone)}. {access === "opening" ? "Keep this page open until they are sent." : "Scan a new code to send them."}</p>}
      {undone > 0 && <p>{undone === 1 ? "1 scan that was undone here still counts" : `${undone} scans that were undone here still count`}. Scan a new code, or tell the organizer.</p>}
    </div>
  );
}

function Door({ device, shown, list, data: { timeZone } }: { device: Device; shown: Shown; list: DoorSnapshot; data: Data }) {
  const { chosen } = shown;
  // A choice is for its day: a phone that lies open overnight goes on with the next one.
  const day = chosen?.day === today() && list.lists.some(({ key }) => key === chosen.key) ? chosen.key : listOfNow(list, eventNow(shown.kept), timeZone);
  const [open, setOpen] = useState<{ id: string } | "foreign">();
  const [isWalkIn, setIsWalkIn] = useState(false);
  const [problem, setProblem] = useState<string>();
  const figures = count(list, shown.own, day);
  const answer = answerOf(open, shown.own, list);

  const take = useCallback(async (code: string, more: { walkIn?: string; anyway?: string } = {}) => {
    const scan = await device.scan(code, day, more);
    play(scan.anyway ? "welcome" : scan.result);
    setProblem(undefined);
    setOpen({ id: scan.id });
  }, [device, day]);

  // While she decides about one, the camera goes on, and the next code takes its place, but not that of a name she is typing.
  const read = useCallback((text: string) => {
    if (isWalkIn || isNaming()) return;
    const code = parseCode(text);
    if (code) return void take(code);
    play("unknown");
    setOpen("foreign");
  }, [take, isWalkIn]);

  const { corrected } = shown;
  const showCorrected = useEffectEvent((scan: OwnScan) => {
    play(scan.result);
    if (!isWalkIn && !isNaming()) setOpen({ id: scan.id });
  });
  useEffect(() => void (corrected && showCorrected(corrected)), [corrected]);

  const undo = async (id: string) => {
    setOpen(undefined);
    await device.undo(id).then(() => setProblem(undefined), () => setProblem("Without a network, only scans of this phone can be undone."));
  };

  const result = answer?.scan?.result;
  const isWelcome = result === "welcome" || result === "walk_in";
  const openId = useRef(open);
  useEffect(() => void (openId.current = open), [open]);
  useEffect(() => {
    if (!isWelcome) return;
    const timer = setTimeout(() => openId.current === open && !isNaming() && setOpen(undefined), welcomeFor);
    return () => clearTimeout(timer);
  }, [open, isWelcome]);

  return (
    <>
      <DeviceStatus shown={shown} figures={figures} />
      {problem && <p className="door-problem" role="alert">{problem}</p>}
      <Select label="Letting in to" options={list.lists.map(({ key, label }) => ({ value: key, label }))} value={day} onChange={({ target }) => device.choose(target.value)} />
      <CameraView onCode={read} onStart={allowSound} />
      <GuestSearch list={list} own={shown.own} day={day} timeZone={timeZone} onCode={(code) => void take(code)} onUndo={(id) => void undo(id)} />
      <Button look="outline" className="door-walk-in" onClick={() => setIsWalkIn(true)}>Walk-in without a ticket</Button>
      <Recent own={shown.own} list={list} timeZone={timeZone} onUndo={(id) => void undo(id)} />
      {answer && (
        <AnswerScreen key={answer.scan?.id ?? "foreign"} answer={answer} list={list} listAt={shown.kept?.confirmedAt ?? 0} timeZone={timeZone} onUndo={(id) => void undo(id)} onClose={() => setOpen(undefined)}
          onLetIn={(more) => void take(answer.scan?.code ?? "", more)} />
      )}
      {isWalkIn && <WalkIn onClose={() => setIsWalkIn(false)} onName={(walkIn) => { setIsWalkIn(false); void take("", { walkIn }); }} />}
    </>
  );
}

/** The answer of the moment: the server's own once it has come. */
function answerOf(open: { id: string } | "foreign" | undefined, own: readonly OwnScan[], list: DoorSnapshot): Answer | undefined {
  if (open === "foreign") return { isForeign: true };
  const scan = open && own.find(({ id }) => id === open.id);
  return scan && { scan, ticket: list.tickets.find(({ code }) => code === scan.code) };
}

function WalkIn({ onName, onClose }: { onName: (name: string) => void; onClose: () => void }) {
  return (
    <Dialog small title="Walk-in" closeLabel="Back" onClose={onClose} actions={<Button type="submit" form="walk-in">Let in</Button>}>
      <form id="walk-in" onSubmit={(event) => {
        event.preventDefault();
        const name = String(new FormData(event.currentTarget).get("name") ?? "").trim();
        if (name) onName(name);
      }}>
        {/* She has just pressed the button for it. */}
        {/* eslint-disable-next-line jsx-a11y/no-autofocus */}
        <TextField label="Name" name="name" required maxLength={100} autoFocus />
      </form>
    </Dialog>
  );
}

/** In milliseconds. */
const tick = 5_000;

/** How many are in, how old the list is, and what waits. */
function DeviceStatus({ shown: { kept, isOnline, isStored, isPageKept, waiting, own }, figures }: { shown: Shown; figures: { in: number; expected: number } }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tick);
    return () => clearInterval(timer);
  }, []);
  const refused = own.filter(({ state }) => state === "refused").length;
  return (
    <div className="door-status" data-offline={isOnline ? undefined : ""}>
      <p><strong>{figures.in}</strong> in of {figures.expected}</p>
      <p>{!isOnline && "No network · "}List {listAge(kept?.confirmedAt ?? now, now)}{waiting > 0 && ` · ${scansWait(waiting)}`}</p>
      {!isStored && <p>This phone stores nothing (a private window?). Keep this page open and the network on.</p>}
      {isStored && !isPageKept && <p>This page opens only with a network. Keep it open.</p>}
      {refused > 0 && <p>{refused === 1 ? "1 scan was" : `${refused} scans were`} not taken by the server. Show this phone to the organizer.</p>}
    </div>
  );
}

const most = 6;

/** The last scans of this device. */
function Recent({ own, list, timeZone, onUndo }: { own: readonly OwnScan[]; list: DoorSnapshot; timeZone: string; onUndo: (id: string) => void }) {
  const last = [...own].sort((one, other) => other.at.localeCompare(one.at)).slice(0, most);
  if (last.length === 0) return null;
  const nameOf = (scan: OwnScan) => list.tickets.find(({ code }) => code === scan.code)?.name ?? scan.walkIn ?? scan.code;
  return (
    <section className="door-recent" aria-label="Last on this phone">
      <h2>Last on this phone</h2>
      <ul className="door-people">
        {last.map((scan) => (
          <li key={scan.id} data-tone={toneOf(scan)}>
            <span><span className="door-person">{nameOf(scan)}</span><span className="soft">{timeOf(scan.at, timeZone)} · {scan.undoneAt ? "Does not count" : scan.anyway ? "Let in anyway" : resultNames[scan.result]}{scan.state === "waiting" && " · waits"}</span></span>
            {!scan.undoneAt && toneOf(scan) !== "out" && <button type="button" className="text-button" onClick={() => onUndo(scan.id)}>Undo<span className="hidden-text"> {nameOf(scan)}</span></button>}
          </li>
        ))}
      </ul>
    </section>
  );
}
