/** Variables of the environment of aws-node. */
export interface VpcCniConfig {
  /** `WARM_ENI_TARGET`: so many interfaces whose addresses are all free are kept. Default 1. */
  readonly warmEniTarget?: number;
  /** `WARM_IP_TARGET`: so many free addresses are kept, in place of whole interfaces. */
  readonly warmIpTarget?: number;
  /** `MINIMUM_IP_TARGET`: so many addresses are there from the beginning. */
  readonly minimumIpTarget?: number;
}
