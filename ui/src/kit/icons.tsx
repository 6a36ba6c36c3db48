interface IconProps {
  className?: string;
}

const line = { fill: "none", stroke: "currentColor", strokeWidth: 1.5, strokeLinecap: "round", strokeLinejoin: "round" } as const;

export function ArrowIcon({ className = "" }: IconProps) {
  return (
    <svg className={`icon ${className}`} viewBox="0 0 24 24" aria-hidden="true" {...line}>
      <path d="M4 12h15M13 6l6 6-6 6" />
    </svg>
  );
}

export function ChevronIcon({ className = "" }: IconProps) {
  return (
    <svg className={`icon ${className}`} viewBox="0 0 24 24" aria-hidden="true" {...line}>
      <path d="M6 9.5l6 6 6-6" />
    </svg>
  );
}

export function ChatIcon({ className = "" }: IconProps) {
  return (
    <svg className={`icon ${className}`} viewBox="0 0 24 24" aria-hidden="true" {...line}>
      <path d="M4 19.5l1.2-3.7a7.8 7.8 0 1 1 3 2.8z" />
      <path d="M8.8 11.2q3.2 3.4 6.4 0M9.6 13.2l-.7 1.2M12 13.9v1.5M14.4 13.2l.7 1.2" />
    </svg>
  );
}

export function CheckIcon({ className = "" }: IconProps) {
  return (
    <svg className={`icon ${className}`} viewBox="0 0 24 24" aria-hidden="true" {...line}>
      <path d="M5 13q3 2 4.2 4.6Q12.600 9.500 19 6" />
    </svg>
  );
}
