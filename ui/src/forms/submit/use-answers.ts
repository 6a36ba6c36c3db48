import { useEffect, useMemo, useState } from "react";
import { useForm } from "react-hook-form";
import type { FormRule } from "../rules/form-rules";
import { resolverOf } from "../rules/values";
import type { Offered, Values } from "../rules/rules";

/**
 * The answers of a form, checked when a field loses the focus. If a mouse press causes that, they are checked only when the
 * button is released. Otherwise an error message could move the pressed element away from the pointer, and the click would
 * be lost.
 */
export function useAnswers(form: FormRule, offered?: Offered, defaultValues?: Values) {
  const [press] = useState(trackMousePress);
  useEffect(() => press.follow(), [press]);
  const resolver = useMemo(() => resolverOf(form, offered, press.over), [form, offered, press]);
  return useForm<Values>({ mode: "onTouched", shouldFocusError: false, defaultValues, resolver });
}

const endings = ["mouseup", "pointercancel", "contextmenu", "keydown"];

/** Tracks mouse presses, so that work can wait until none is in progress. */
function trackMousePress() {
  let over: Promise<void> | undefined;
  let end = () => {};
  const begin = () => {
    end();
    over = new Promise((settle) => {
      end = () => {
        over = undefined;
        // The click event fires in the same task as the end of its press.
        setTimeout(settle);
      };
    });
  };
  const finish = () => end();
  return {
    /** Resolves when the current press ends; undefined if there is none. */
    over: () => over,
    /** Starts tracking; returns a function that stops it. */
    follow: () => {
      addEventListener("mousedown", begin, true);
      for (const ending of endings) addEventListener(ending, finish, true);
      return () => {
        finish();
        removeEventListener("mousedown", begin, true);
        for (const ending of endings) removeEventListener(ending, finish, true);
      };
    },
  };
}
