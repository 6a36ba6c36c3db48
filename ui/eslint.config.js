import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

/** Each folder of `src` may import the ones after it. */
const layers = ["app", "pages", "admin", "door", "portal", "entry", "forms", "kit", "brand", "lib"];

/** What a file in the folder at this place may not import. */
function directions(at) {
  const above = layers.slice(0, at);
  const below = layers.slice(at + 1).join(", ");
  return [
    ...above.map((folder) => ({ regex: `^(\\.\\./)+${folder}/`, message: `${layers[at]}/ may import ${below === "" ? "nothing but itself" : below}. Move what both need down, or pass it in from ${folder}/.` })),
    ...(layers[at] === "pages" ? [{ regex: "^\\.\\./(?!\\.\\./|shared/)", message: "A page never imports a page. Move what both need to pages/shared/." }] : []),
  ];
}

const stable = [
  { selector: "MemberExpression[object.name='Intl']", message: "The server's engine has no Intl: format in lib/dates.ts or lib/money.ts." },
  { selector: "CallExpression[callee.property.name=/^toLocale/]", message: "toLocale* differs between engines: format in lib/dates.ts or lib/money.ts." },
  { selector: "JSXAttribute[name.name='style']", message: "The content policy forbids inline styles: use a class." },
  { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: "Content is text, never HTML." },
];

/** A component calls the API through the functions and hooks of its section's `api.ts`. */
const inApi = [
  { selector: "ImportDeclaration[source.value=/lib\\u002f(request|download|swr-settings)$/]", message: "Requests are in the section's api.ts." },
  { selector: "ImportDeclaration[source.value='swr'] > ImportDefaultSpecifier", message: "Reads are hooks of the section's api.ts." },
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
  ...layers.map((folder, at) => ({ files: [`src/${folder}/**/*`], rules: { "no-restricted-imports": ["error", { patterns: directions(at) }] } })),
  {
    files: ["src/**/*.{ts,tsx}"],
    ignores: ["src/**/*.server.{ts,tsx}", "src/**/*.test.{ts,tsx}", "src/app/entry-server.tsx"],
    rules: {
      "@typescript-eslint/no-restricted-imports": ["error", { patterns: [{ regex: "\\.server$", allowTypeImports: true, message: "A .server file never reaches a browser: import its types only, and pass what it makes through the page's data." }] }],
    },
  },
  {
    // Instants in event time need the browser's time zones. They come from the API, so the server never renders one.
    files: ["src/admin/shell/event-time.ts", "src/door/event-time.ts", "src/portal/deadline.ts"],
    rules: { "no-restricted-syntax": ["error", ...stable.filter(({ message }) => !message.includes("no Intl"))] },
  },
  {
    files: ["src/admin/**/*.tsx"],
    rules: { "no-restricted-syntax": ["error", ...stable, ...inApi] },
  },
  { files: ["src/**/*.test.{ts,tsx}"], rules: { "no-restricted-imports": "off" } },
  { files: ["src/lib/content-types.ts", "src/admin/content/fields.ts"], rules: { "max-lines": "off" } },
);
