import { useEffect, useMemo, useState } from "react";
import { useForm } from "react-hook-form";
import type { FormRule } from "../rules/form-rules";
import { followedPress } from "./press";
import { resolverOf } from "../rules/resolver";
import type { Offered, Values } from "../rules/rules";

/**
 * The answers of a form, checked when a field loses the focus. If a mouse press causes that, they are checked only when the
 * button is released. Otherwise an error message could move the pressed element away from the pointer, and the click would
 * be lost.
 */
export function useAnswers(form: FormRule, offered?: Offered, defaultValues?: Values) {
  const [press] = useState(followedPress);
  useEffect(() => press.follow(), [press]);
  const resolver = useMemo(() => resolverOf(form, offered, press.over), [form, offered, press]);
  return useForm<Values>({ mode: "onTouched", shouldFocusError: false, defaultValues, resolver });
}
