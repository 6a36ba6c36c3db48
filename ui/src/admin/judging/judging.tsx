import { useAddress } from "../shell/address";
import { CategoryPage } from "./category-page";
import { CeremonyPage } from "./ceremony-page";
import { CertificatesPage } from "./certificates-page";
import { PaperPage } from "./paper-page";
import { Start } from "./start";

/** All categories and judges; with `?of=` one category, with `?show=` its paper sheets, the ceremony or the certificates. */
export function JudgingSection() {
  const params = useAddress();
  const path = params.get("of");
  const show = params.get("show");
  if (show === "certificates") return <CertificatesPage of={path} />;
  if (show === "ceremony") return <CeremonyPage />;
  if (show === "paper" && path) return <PaperPage key={path} path={path} />;
  return path ? <CategoryPage key={path} path={path} /> : <Start />;
}
