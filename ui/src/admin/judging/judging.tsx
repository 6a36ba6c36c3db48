import { useAddress } from "../shell/address";
import { CategoryPage } from "./category-page";
import { CeremonyPage } from "./ceremony-page";
import { CertificatesPage } from "./certificates-page";
import { Start } from "./start";

/** All categories and judges; with `?of=` one category, with `?show=` the ceremony or the certificates. */
export function JudgingSection() {
  const params = useAddress();
  const path = params.get("of");
  const show = params.get("show");
  if (show === "certificates") return <CertificatesPage of={path} />;
  if (show === "ceremony") return <CeremonyPage />;
  return path ? <CategoryPage key={path} path={path} /> : <Start />;
}
