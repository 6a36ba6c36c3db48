import { later } from "../../kit/later";
import { whenNear } from "../../lib/when";

// The form's code comes when the reader comes near.
export const { View: LazyWaitlistForm } = later(() => whenNear("waitlist").then(() => import("../../forms/waitlist-form")).then((module) => module.WaitlistForm));
