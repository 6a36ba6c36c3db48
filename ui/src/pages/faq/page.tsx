import { Mark } from "../../brand/marks";
import { Island } from "../../kit/island";
import { PageHead } from "../../kit/page-head";
import type { Data } from "./data.server";
import { Fold } from "./fold";

export function View({ data: { faq, email, contactHeading } }: { data: Data }) {
  return (
    <>
      <PageHead title={faq.title} lead={faq.introduction} art={<Mark name="lamination" />}>
        <div className="buttons"><a className="button button-outline" href={`mailto:${email}`}>{contactHeading}</a></div>
      </PageHead>
      <div className="frame faq">{faq.sections.map((section) => <Island key={section.id} name="fold" of={Fold} props={{ section }} />)}</div>
    </>
  );
}
