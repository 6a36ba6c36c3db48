import { useState } from "react";
import type { Certificate } from "../../lib/answer-types";
import { Button } from "../../kit/button";
import { Loaded } from "../../kit/loaded";
import { optionsOf, Select } from "../../kit/select";
import { CertificatePage, certificateName, papers, type Paper } from "../../portal/print/certificate";
import { SectionHead } from "../shell/parts";
import { useCategories, useCertificates, useCeremony } from "./api";

const kinds = { "": "All certificates", participant: "Participants", place: "Places", judge: "Judges", speaker: "Speakers" };

/** Certificates as they are printed: one, or all of a category. */
export function CertificatesPage({ of }: { of: string | null }) {
  const categories = useCategories().data?.items ?? [];
  const [path, setPath] = useState(of ?? "");
  const [kind, setKind] = useState("");
  const [paper, setPaper] = useState<Paper>("letter");
  const [one, setOne] = useState("");
  const category = categories.find((candidate) => candidate.path === path);
  const isOfEvent = kind === "judge" || kind === "speaker";
  const read = useCertificates(kind, isOfEvent || !category ? undefined : { category: category.category, subCategory: category.subCategory });
  const event = useCeremony().data?.event;
  const options = [{ value: "", label: "All categories" }, ...categories.map((candidate) => ({ value: candidate.path, label: candidate.label }))];
  return (
    <>
      <div className="certificate-tools">
        <SectionHead back={{ show: null }} backTo="Back to judging" title="Certificates" />
        <p className="measure">Print on the chosen paper in landscape, without margins or headers of the browser, or save as PDF. Anyone can check a certificate by its QR code.</p>
      </div>
      <Loaded of={read} loading="Loading the certificates…" failed="The certificates could not be loaded.">
        {({ items }) => (
          <>
            <div className="judge-form-row certificate-tools">
              <Select label="Kind" value={kind} options={optionsOf(kinds)} onChange={({ target }) => setKind(target.value)} />
              {!isOfEvent && <Select label="Category" value={path} options={options} onChange={({ target }) => setPath(target.value)} />}
              <Select label="Certificate" value={one} options={[{ value: "", label: items.length === 0 ? "None yet" : `All ${items.length}` }, ...items.map((item) => ({ value: item.code, label: certificateName(item) }))]} onChange={({ target }) => setOne(target.value)} />
              <Select label="Paper" value={paper} options={optionsOf(papers)} onChange={({ target }) => setPaper(target.value as Paper)} />
              <Button inactive={items.length === 0} onClick={() => print()}>Print</Button>
            </div>
            {event && <Certificates certificates={shownOf(items, one)} event={event} paper={paper} />}
          </>
        )}
      </Loaded>
    </>
  );
}

/** The chosen certificate, or all of them if it is not in the list. */
function shownOf(items: Certificate[], code: string): Certificate[] {
  const chosen = items.filter((certificate) => certificate.code === code);
  return chosen.length > 0 ? chosen : items;
}

function Certificates({ certificates, event, paper }: { certificates: Certificate[]; event: { name: string; date: string }; paper: Paper }) {
  if (certificates.length === 0) return <p className="empty">There are none yet. Participants and places have certificates once their category is published.</p>;
  return <div className="certificates">{certificates.map((certificate) => <CertificatePage key={certificate.code} certificate={certificate} event={event} paper={paper} />)}</div>;
}
