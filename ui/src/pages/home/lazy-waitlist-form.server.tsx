import { Suspense, type ComponentProps } from "react";
import { WaitlistForm } from "../../form/waitlist-form";

/** The server waits for nothing: the same place with the form in it (the build takes `.server` files first there). */
export function LazyWaitlistForm(props: ComponentProps<typeof WaitlistForm>) {
  return <div className="waitlist-form-place"><Suspense fallback={null}><WaitlistForm {...props} /></Suspense></div>;
}
