import { useForm, type DefaultValues, type FieldError, type FieldPath, type FieldValues, type Resolver, type UseFormReturn } from "react-hook-form";
import { safeParse, type BaseIssue, type BaseSchema } from "valibot";
import { detailOf, errorsOf } from "../../lib/api-error";
import { toast } from "../../kit/toast-store";
import { useBusy } from "../../kit/use-busy";
import { endsSession } from "./session";

type Schema<Input extends FieldValues, Output> = BaseSchema<Input, Output, BaseIssue<unknown>>;

/** A form whose values have the types of its schema, and whose errors are the schema's messages. */
export function useValidForm<Input extends FieldValues, Output>(schema: Schema<Input, Output>, defaultValues: Input): UseFormReturn<Input, unknown, Output> {
  return useForm<Input, unknown, Output>({ defaultValues: defaultValues as DefaultValues<Input>, resolver: resolverOf(schema) });
}

/** The first message for each field. */
export function resolverOf<Input extends FieldValues, Output>(schema: Schema<Input, Output>): Resolver<Input, unknown, Output> {
  return (values) => {
    const parsed = safeParse(schema, values);
    if (parsed.success) return { values: parsed.output, errors: {} };
    const errors: Record<string, FieldError> = {};
    for (const { path, type, message } of parsed.issues) errors[String(path?.[0]?.key ?? "root")] ??= { type, message };
    return { values: {}, errors: errors as object };
  };
}

/** Shows what the server refused at the fields that it names; the first of them takes the focus. */
export function showAtFields<Input extends FieldValues, Output>(form: UseFormReturn<Input, unknown, Output>, error: unknown): void {
  const errors = errorsOf(error);
  Object.keys(form.getValues()).filter((name) => errors[name]).forEach((name, index) => {
    form.setError(name as FieldPath<Input>, { type: "server", message: errors[name] }, { shouldFocus: index === 0 });
  });
}

interface Outcome {
  title: string;
  message: string;
}

/** For what else a failure changes. Returns true if the page shows the failure itself, without a notification. */
type OnFailed = (error: unknown) => unknown;

/**
 * Changes something on the server and shows the outcome as a notification. A 401 leads back to the sign-in form. `then`
 * follows every change, such as a reload.
 */
export function useAction(then: () => unknown = () => {}) {
  const { busy, run } = useBusy();
  const act = <Result>(task: () => Promise<Result>, done: Outcome | ((result: Result) => Outcome), failed: string, onFailed: OnFailed = () => {}) => run(async () => {
    try {
      const result = await task();
      await then();
      toast(typeof done === "function" ? done(result) : done);
    } catch (error) {
      if (endsSession(error)) return;
      if (onFailed(error) !== true) toast({ title: "Error", message: detailOf(error) ?? failed, tone: "destructive" });
    }
  });
  return { busy, act };
}

/** A valid form that is sent by an action. What the server refuses is shown at the fields that it names. */
export function useActionForm<Input extends FieldValues, Output>(schema: Schema<Input, Output>, defaultValues: Input, then?: () => unknown) {
  const form = useValidForm(schema, defaultValues);
  const { busy, act } = useAction(then);
  const field = (name: FieldPath<Input>) => ({ error: (form.formState.errors[name] as FieldError | undefined)?.message, ...form.register(name) });
  /** The handler of a submission. */
  const submit = (task: (values: Output) => Promise<unknown>, done: Outcome | ((values: Output) => Outcome), failed: string, onFailed: OnFailed = () => {}) =>
    form.handleSubmit((values) => act(() => task(values), typeof done === "function" ? done(values) : done, failed, (error) => {
      showAtFields(form, error);
      return onFailed(error);
    }));
  return { ...form, busy, act, field, submit };
}
