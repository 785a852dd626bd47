// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Every way in which solc lets a call fail.
contract Failing {
    error Custom(uint256 number, address sender);

    uint256 private zero;

    function reason() external pure {
        require(false, "why");
    }

    function bare() external pure {
        revert();
    }

    function custom() external view {
        revert Custom(7, msg.sender);
    }

    function assertion() external pure {
        assert(false);
    }

    function division() external view returns (uint256) {
        return 1 / zero;
    }

    function underflow() external view returns (uint256) {
        return zero - 1;
    }

    function index() external view returns (uint256) {
        return new uint256[](zero)[5];
    }

    function halt() external pure {
        assembly {
            invalid()
        }
    }
}
