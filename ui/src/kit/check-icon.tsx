import { Icon } from "./icon";

export function CheckIcon() {
  return <Icon path="M5 13q3 2 4.2 4.6Q12.600 9.500 19 6" />;
}
