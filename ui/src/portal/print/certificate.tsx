import type { Certificate } from "../../lib/answer-types";
import { LashesComplete } from "../../brand/lashes";
import { QrCode } from "../../kit/qr-code";

export type Paper = "letter" | "a4";

export const papers: Record<Paper, string> = { letter: "US Letter", a4: "A4" };

const titles = { participant: "Certificate of Participation", place: "Certificate of Award", judge: "Certificate of Appreciation", speaker: "Certificate of Appreciation" };
const places: Record<number, string> = { 1: "First Place", 2: "Second Place", 3: "Third Place" };

function placeName(place: number): string {
  return places[place] ?? `place ${place}`;
}

/** What a certificate says below the name. */
export function citation({ kind, place }: Pick<Certificate, "kind" | "place">): string {
  switch (kind) {
    case "place": return place === null ? "was placed in" : `won ${placeName(place)} in`;
    case "participant": return "competed in";
    case "judge": return "served as a judge of";
    case "speaker": return "spoke at";
  }
}

/** The award that can be won in the category, unless it is called as the category itself. */
export function awardLine({ kind, label, award }: Pick<Certificate, "kind" | "label" | "award">): string {
  return kind === "place" && award !== "" && award !== label ? `Award: ${award}` : "";
}

/** What a certificate is for, in a list of them. */
export function certificateName({ kind, name, label, place }: Pick<Certificate, "kind" | "name" | "label" | "place">): string {
  const honor = { participant: "participation", place: place === null ? "place" : placeName(place), judge: "judge", speaker: "speaker" }[kind];
  return `${name}, ${label} (${honor.toLowerCase()})`;
}

interface Props {
  certificate: Omit<Certificate, "qr">;
  event: { name: string; date: string };
  paper: Paper;
}

/** A certificate on one sheet of paper, in landscape. */
export function CertificatePage({ certificate, event, paper }: Props) {
  const { kind, name, label, code, verifyUrl } = certificate;
  const award = awardLine(certificate);
  const verifyAddress = verifyUrl.replace(/^https?:\/\//, "");
  return (
    <article className="certificate" data-paper={paper} data-kind={kind} aria-label={`${titles[kind]}: ${name}`}>
      <div className="certificate-frame">
        <LashesComplete />
        <p className="certificate-title">{titles[kind]}</p>
        <p className="certificate-lead">{event.name}</p>
        <h2 className="certificate-name">{name}</h2>
        <p className="certificate-citation">{citation(certificate)}</p>
        <p className="certificate-label">{label}</p>
        {award && <p className="certificate-award">{award}</p>}
        <footer className="certificate-foot">
          <p>{event.date}</p>
          <p className="certificate-line">Organizer</p>
          <div className="certificate-verify"><QrCode text={verifyUrl} label={`QR code: ${verifyUrl}`} /><p>Verify at<br />{verifyAddress.slice(0, -code.length)}<wbr /><span className="certificate-code">{code}</span></p></div>
        </footer>
      </div>
    </article>
  );
}

/** "1st", "2nd", "3rd", "11th" */
export function ordinal(place: number): string {
  const tens = place % 100;
  const ending = tens >= 11 && tens <= 13 ? "th" : ({ 1: "st", 2: "nd", 3: "rd" } as Record<number, string>)[place % 10] ?? "th";
  return `${place}${ending}`;
}
