import { Art } from "../../brand/art";
import { PageHead } from "../../kit/page-head";
import { OutsideLink, SiteLink } from "../../kit/site-link";
import { useShell } from "../../lib/shell-context";
import type { Head, PageInput } from "../../lib/page";

export function View({ data: { contact, organiser } }: { data: Data }) {
  const { chat, socials } = useShell();
  return (
    <>
      <PageHead title="Contact" lead={contact.introduction} art={<Art picture={{ image: "", alt: "", art: "breakfast" }} eager />} />
      <dl className="fact-list contact-list frame">
        <div><dt>Email</dt><dd className="title"><a href={`mailto:${contact.email}`}>{contact.email}</a></dd></div>
        <div><dt>Partnerships</dt><dd className="title"><a href={`mailto:${contact.partnershipEmail}`}>{contact.partnershipEmail}</a></dd></div>
        <div><dt>Phone</dt><dd className="title figures"><a href={`tel:${contact.phone.replace(/[^+\d]/g, "")}`}>{contact.phone}</a></dd></div>
        {chat && <div><dt>Chat</dt><dd className="title"><OutsideLink href={chat.href}>{chat.label}</OutsideLink></dd></div>}
        <div><dt>Mailing address</dt><dd><address className="title">{organiser.legalName}{organiser.address.map((line) => <span className="line" key={line}>{line}</span>)}</address></dd></div>
        {socials.length > 0 && (
          <div>
            <dt>Follow</dt>
            {socials.map(({ label, href }) => <dd key={href} className="title"><OutsideLink href={href}>{label}</OutsideLink></dd>)}
          </div>
        )}
      </dl>
      <p className="contact-note frame">Your answer may be in the <SiteLink href="/faq">FAQ</SiteLink>.</p>
    </>
  );
}

type Data = ReturnType<typeof data>;

export function data({ content }: PageInput) {
  const { event, contact, organiser, descriptions } = content;
  return { name: event.name, description: descriptions.contact, contact, organiser: { legalName: organiser.legalName, address: organiser.address } };
}

export function head({ name, description }: Data): Head {
  return { title: `Contact - ${name}`, description };
}
