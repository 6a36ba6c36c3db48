import { ApplicationForm } from "../../form/application-form";
import { atOnce } from "../../parts/at-once";

export const { View: LazyApplicationForm, ready } = atOnce(ApplicationForm);
