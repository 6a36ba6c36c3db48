import { Icon } from "./icon";

export function ArrowIcon({ className }: { className?: string }) {
  return <Icon className={className} path="M4 12h15M13 6l6 6-6 6" />;
}

export function CheckIcon({ className }: { className?: string }) {
  return <Icon className={className} path="M5 13q3 2 4.2 4.6Q12.600 9.500 19 6" />;
}
