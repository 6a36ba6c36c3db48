export function LazyWaitlistForm(words: { buttonLabel: string; successTitle: string; successText: string }) {
  return <p className="notice">{words.buttonLabel}</p>;
}
