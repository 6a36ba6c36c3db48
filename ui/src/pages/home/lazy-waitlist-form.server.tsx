import { WaitlistForm } from "../../forms/waitlist-form";
import { atOnce } from "../../kit/at-once";

export const { View: LazyWaitlistForm } = atOnce(WaitlistForm);
