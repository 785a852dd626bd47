// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import "hardhat/console.sol";

contract Printer {
    uint256 private said;

    function say(uint256 number) external {
        said = number;
        console.log("Printer says %s", number);
    }

    function refuse(uint256 number) external pure {
        console.log("Printer refuses %s", number);
        revert("never");
    }
}
