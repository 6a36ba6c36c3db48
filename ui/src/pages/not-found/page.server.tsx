import { PageHead } from "../../kit/page-head";
import { Mark } from "../../brand/marks";
import { ActionLink, SiteLink } from "../../kit/site-link";
import type { Head, PageInput } from "../../lib/page";

export function View() {
  return (
    <PageHead title="404 Page Not Found" lead="There is no page at this address. It may have moved, or the link has a typo." art={<Mark name="classic" />}>
      <p className="soft spaced">Did you forget to add the page to the router?</p>
      <div className="buttons">
        <ActionLink href="/">Back to the home page</ActionLink>
        <SiteLink className="button button-plain" href="/schedule">See the schedule</SiteLink>
      </div>
    </PageHead>
  );
}

type Data = ReturnType<typeof data>;

export function data({ content }: PageInput) {
  return { name: content.event.name };
}

export function head({ name }: Data): Head {
  return { title: `404 Page Not Found - ${name}`, description: "There is no page at this address." };
}
