import { useEffect, useMemo, useState } from "react";
import { useForm } from "react-hook-form";
import type { FormRule } from "../rules/form-rules";
import { followedPress } from "./press";
import { resolverOf } from "../rules/resolver";
import type { Offered, Values } from "../rules/rules";

/**
 * The answers of a form, checked when a field is left. Where a press of the mouse leaves it, they are checked when the
 * press is over: the message would else move what is pressed away from under the pointer, and the click would go nowhere.
 */
export function useAnswers(form: FormRule, offered?: Offered, defaultValues?: Values) {
  const [press] = useState(followedPress);
  useEffect(() => press.follow(), [press]);
  const resolver = useMemo(() => resolverOf(form, offered, press.over), [form, offered, press]);
  return useForm<Values>({ mode: "onTouched", shouldFocusError: false, defaultValues, resolver });
}
