const endings = ["mouseup", "pointercancel", "contextmenu", "keydown"];

/** Follows the presses of the mouse, so that something can be put off until none is under way. */
export function followedPress() {
  let over: Promise<void> | undefined;
  let end = () => {};
  const begin = () => {
    end();
    over = new Promise((settle) => {
      end = () => {
        over = undefined;
        // The click comes in the same task as the end of its press.
        setTimeout(settle);
      };
    });
  };
  const finish = () => end();
  return {
    /** Settles after the press that is under way; nothing where none is. */
    over: () => over,
    /** Begins to follow; what it gives ends it. */
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
