import { PageHead } from "../../kit/page-head";
import { Mark } from "../../brand/marks";
import { ActionLink, SiteLink } from "../../kit/site-link";

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
