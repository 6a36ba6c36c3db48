/** Nobody pays while the server renders. */
export const CardForm = (): null => null;
export const DemoForm = CardForm;
