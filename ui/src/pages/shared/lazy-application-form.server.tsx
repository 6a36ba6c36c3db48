import { ApplicationForm } from "../../forms/application-form";
import { atOnce } from "../../kit/at-once";

export const { View: LazyApplicationForm, ready } = atOnce(ApplicationForm);
