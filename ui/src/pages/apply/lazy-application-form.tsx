import { later } from "../../parts/later";

export const { View: LazyApplicationForm, ready } = later(() => import("../../form/application-form").then((module) => module.ApplicationForm));
