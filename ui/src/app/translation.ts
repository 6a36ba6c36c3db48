// A browser that translates a page puts font elements in the place of text nodes. React still holds the text nodes: what
// it writes into them nobody sees, and it fails where it removes one or inserts something before one. So a text node takes
// its place again when React uses it; the browser then translates its new text.

declare global {
  interface Document {
    /** Makes a part what the server sent, until the end of the task, so that React can hydrate it. False if it was not translated. */
    undoTranslation?: (part: Element) => boolean;
  }
}

/** Is part of the boot script, because a translation may come before the rest. */
export function followTranslation(): void {
  const fonts = new WeakMap<Node, HTMLFontElement>();
  const originals = new WeakMap<Node, Text>();
  const putBack = (text: Node) => fonts.get(text)?.replaceWith(text);
  const follow = (records: MutationRecord[]) => {
    for (const { type, target, addedNodes, removedNodes, previousSibling, nextSibling } of records) {
      if (type === "characterData" && !target.isConnected) putBack(target);
      for (const text of removedNodes) {
        const font = [...addedNodes, previousSibling, nextSibling].find((node) => node instanceof HTMLFontElement && !originals.has(node)) as HTMLFontElement | undefined;
        if (!(text instanceof Text) || !font) continue;
        fonts.set(text, font);
        originals.set(font, text);
        changes.observe(text, { characterData: true });
      }
    }
  };
  const changes = new MutationObserver(follow);
  changes.observe(document, { childList: true, subtree: true });
  document.undoTranslation = (part) => {
    follow(changes.takeRecords());
    const found = [...part.querySelectorAll("font")].flatMap((font) => originals.get(font) ?? []);
    found.forEach(putBack);
    return found.length > 0;
  };
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <Child extends Node>(child: Child): Child {
    if (child.parentNode !== this) putBack(child);
    return removeChild.call(this, child) as Child;
  };
  Node.prototype.insertBefore = function <Added extends Node>(added: Added, next: Node | null): Added {
    if (next && next.parentNode !== this) putBack(next);
    return insertBefore.call(this, added, next) as Added;
  };
}
