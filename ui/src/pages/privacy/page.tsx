export { LegalPage as View } from "../shared/legal-page";
