import { PageHead } from "../kit/page-head";
import { useShell } from "../lib/shell-context";

/** In place of a page that could not be rendered. */
export function NotRendered({ title }: { title: string }) {
  const { email } = useShell();
  return (
    <PageHead title={title}>
      <p className="lead">This page can't be shown at the moment. Please try again later, or write to <a href={`mailto:${email}`}>{email}</a>.</p>
    </PageHead>
  );
}
