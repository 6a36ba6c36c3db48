interface IconProps {
  /** The lines, on a square of 24 by 24. */
  path: string;
}

/** An icon in the colour of the text around it, hidden from screen readers. */
export function Icon({ path }: IconProps) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" strokeWidth={1.5} strokeLinecap="round" strokeLinejoin="round">
      <path d={path} />
    </svg>
  );
}

export function ArrowIcon() {
  return <Icon path="M4 12h15M13 6l6 6-6 6" />;
}

export function CheckIcon() {
  return <Icon path="M5 13q3 2 4.2 4.6Q12.600 9.500 19 6" />;
}
