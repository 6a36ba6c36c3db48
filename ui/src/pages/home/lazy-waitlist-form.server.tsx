import { WaitlistForm } from "../../form/waitlist-form";
import { atOnce } from "../../parts/at-once";

export const { View: LazyWaitlistForm } = atOnce(WaitlistForm);
