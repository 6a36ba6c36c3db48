import { lazy, Suspense, type ComponentProps } from "react";
import type { WaitlistForm } from "../../form/waitlist-form";
import { whenNear } from "../../parts/when";

// The form's code is not part of the first load: it comes when the reader comes near. What the server
// rendered stands there until then.
const Form = lazy(() => whenNear("waitlist").then(() => import("../../form/waitlist-form")).then((module) => ({ default: module.WaitlistForm })));

export function LazyWaitlistForm(props: ComponentProps<typeof WaitlistForm>) {
  return <div className="waitlist-form-place"><Suspense fallback={null}><Form {...props} /></Suspense></div>;
}
