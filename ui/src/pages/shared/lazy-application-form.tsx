import { later } from "../../kit/later";

export const { View: LazyApplicationForm, ready } = later(() => import("../../forms/application-form").then((module) => module.ApplicationForm));
