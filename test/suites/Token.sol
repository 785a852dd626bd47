// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// What anvil_dealERC20 and anvil_setERC20Allowance write to.
contract Token {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
}
