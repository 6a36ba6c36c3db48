import { later } from "../../parts/later";
import { whenNear } from "../../parts/when";

// The form's code comes when the reader comes near.
export const { View: LazyWaitlistForm } = later(() => whenNear("waitlist").then(() => import("../../form/waitlist-form")).then((module) => module.WaitlistForm));
