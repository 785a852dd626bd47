// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// What an OP chain knows of L1. Interface, slots and packed calldata: specs.optimism.io/protocol/predeploys.html#l1block
/// and l1-attributes.html of Ecotone, Isthmus and Jovian.
contract L1Block {
    // The order of these is the storage layout.
    uint64 public number;
    uint64 public timestamp;
    uint256 public basefee;
    bytes32 public hash;
    uint64 public sequenceNumber;
    uint32 public blobBaseFeeScalar;
    uint32 public baseFeeScalar;
    bytes32 public batcherHash;
    uint256 public l1FeeOverhead;
    uint256 public l1FeeScalar;
    uint256 public blobBaseFee;
    uint64 public operatorFeeConstant;
    uint32 public operatorFeeScalar;
    uint16 public daFootprintGasScalar;

    string public constant version = "1.8.0";
    address public constant DEPOSITOR_ACCOUNT = 0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001;

    error NotDepositor();

    modifier onlyDepositor() {
        if (msg.sender != DEPOSITOR_ACCOUNT) revert NotDepositor();
        _;
    }

    function setL1BlockValuesEcotone() external onlyDepositor {
        _setEcotone();
    }

    function setL1BlockValuesIsthmus() external onlyDepositor {
        _setEcotone();
        assembly {
            sstore(operatorFeeConstant.slot, shr(160, calldataload(164)))
        }
    }

    function setL1BlockValuesJovian() external onlyDepositor {
        _setEcotone();
        assembly {
            sstore(operatorFeeConstant.slot, or(shl(96, shr(240, calldataload(176))), shr(160, calldataload(164))))
        }
    }

    /// Bytes 4 to 163: two scalars and the sequence number, timestamp and number, then four words.
    function _setEcotone() private {
        assembly {
            sstore(sequenceNumber.slot, shr(128, calldataload(4)))
            sstore(number.slot, shr(128, calldataload(20)))
            sstore(basefee.slot, calldataload(36))
            sstore(blobBaseFee.slot, calldataload(68))
            sstore(hash.slot, calldataload(100))
            sstore(batcherHash.slot, calldataload(132))
        }
    }

    function gasPayingToken() external pure returns (address, uint8) {
        return (0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE, 18);
    }

    function gasPayingTokenName() external pure returns (string memory) {
        return "Ether";
    }

    function gasPayingTokenSymbol() external pure returns (string memory) {
        return "ETH";
    }

    function isCustomGasToken() external pure returns (bool) {
        return false;
    }
}
