const endings = ["mouseup", "pointercancel", "contextmenu", "keydown"];

/** Tracks mouse presses, so that work can wait until none is in progress. */
export function followedPress() {
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
