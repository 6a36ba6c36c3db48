import type { Appearance } from "@stripe/stripe-js";

/** The site's colours and shapes for the card form, which lives in the provider's frames and cannot use our style sheet. */
export function appearance(): Appearance {
  const styles = getComputedStyle(document.documentElement);
  const token = (name: string) => styles.getPropertyValue(`--${name}`).trim();
  return {
    theme: "stripe",
    labels: "above",
    variables: {
      colorPrimary: token("rose"),
      colorBackground: token("field"),
      colorText: token("ink"),
      colorTextSecondary: token("ink-soft"),
      colorTextPlaceholder: token("control-line"),
      colorDanger: token("rose-deep"),
      fontFamily: token("sans"),
      fontSizeBase: styles.fontSize,
      borderRadius: "2px",
      spacingUnit: "5px",
    },
    rules: {
      ".Label": { fontWeight: "500", color: token("ink") },
      ".Input": { border: `1px solid ${token("control-line")}`, boxShadow: "none", padding: "14px 16px" },
      ".Input:hover": { borderColor: token("ink") },
      ".Input:focus": { borderColor: token("ink"), boxShadow: "none", outline: `2px solid ${token("rose")}` },
      ".Input--invalid": { borderColor: token("rose-deep"), boxShadow: "none" },
      ".Tab": { border: `1px solid ${token("hairline")}`, boxShadow: "none" },
      ".Tab--selected": { borderColor: token("ink"), boxShadow: `inset 0 0 0 1px ${token("ink")}` },
      ".Error": { fontWeight: "500" },
    },
  };
}
