import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

/** Imports that would point upward: pages know forms, forms know parts, parts and the api know neither. */
const upward = (folders) => ({
  "no-restricted-imports": ["error", { patterns: [{ group: folders.map((folder) => `**/${folder}/**`), message: "Imports never point upward." }] }],
});

const stable = [
  { selector: "MemberExpression[object.name='Intl']", message: "The server's engine has no Intl: format in parts/clock.ts or parts/money.ts." },
  { selector: "CallExpression[callee.property.name=/^toLocale/]", message: "toLocale* differs between engines: format in parts/clock.ts or parts/money.ts." },
  { selector: "JSXAttribute[name.name='style']", message: "The content policy forbids inline styles: use a class." },
  { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: "Content is text, never HTML." },
];

export default tseslint.config(
  { ignores: ["dist", "node_modules", "e2e/pictures"] },
  ...tseslint.configs.recommended,
  {
    files: ["src/**/*.{ts,tsx}"],
    plugins: { "react-hooks": reactHooks, "jsx-a11y": jsxA11y },
    rules: {
      ...reactHooks.configs.recommended.rules,
      ...jsxA11y.flatConfigs.recommended.rules,
      // Setting state from what the browser has already done (a loaded image) is what effects are for.
      "react-hooks/set-state-in-effect": "off",
      // A ref handed on inside an object is still a ref.
      "react-hooks/immutability": "off",
      "jsx-a11y/no-redundant-roles": "off",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-restricted-syntax": ["error", ...stable],
      "max-lines": ["error", { max: 260, skipBlankLines: true }],
    },
  },
  { files: ["src/pages/**/*"], rules: upward(["site"]) },
  { files: ["src/form/**/*"], rules: upward(["site", "pages", "payment"]) },
  { files: ["src/payment/**/*"], rules: upward(["site", "pages", "form"]) },
  { files: ["src/parts/**/*"], rules: upward(["site", "pages", "form", "payment"]) },
  { files: ["src/api/**/*"], rules: upward(["site", "pages", "form", "payment", "parts"]) },
  { files: ["src/organiser/**/*"], rules: upward(["site", "pages", "form"]) },
  {
    // Instants in event time need the browser's time zones. They come from the API, so the server never renders one.
    files: ["src/organiser/event-time.ts"],
    rules: { "no-restricted-syntax": ["error", ...stable.filter(({ message }) => !message.includes("no Intl"))] },
  },
  { files: ["src/**/*.test.ts"], rules: { "no-restricted-imports": "off" } },
  { files: ["src/api/content-types.ts"], rules: { "max-lines": "off" } },
  {
    files: ["src/pages/*.tsx"],
    rules: {
      "no-restricted-imports": ["error", { patterns: [
        { group: ["**/site/**"], message: "Imports never point upward." },
        { regex: "^\\./[a-z0-9-]+$", message: "A page never imports a page." },
      ] }],
    },
  },
);
